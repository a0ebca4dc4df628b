"""Size of exported models."""

from __future__ import annotations

from imbcore._validation.user_warnings import warn_user

LARGEST = 64 * 2**20
# From the smallest to the largest for forests with columns of many levels.
FORMS = ("ONNX", "JSON", "C", "Rust", "SQL", "PMML")


def warn_if_large(form: str, n_bytes: int) -> None:
    """Warn of an export above 64 MiB, with its size and smaller alternatives."""
    if n_bytes <= LARGEST:
        return
    smaller = [f"to_{other.lower()}()" for other in FORMS[: FORMS.index(form)]]
    forms = ", ".join(["save(), the model file", *smaller])
    warn_user(
        f"the model is {n_bytes / 2**20:,.0f} MiB as {form}, more than 64 MiB, which programs read slowly. "
        f"Smaller forms are {forms}; fewer or smaller trees (n_estimators, max_depth, min_samples_leaf) "
        "make every form smaller."
    )
