"""Metadata routing of scikit-learn from a decomposition to its members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn import get_config
from sklearn.utils.metadata_routing import (
    MetadataRequest,
    MetadataRouter,
    MethodMapping,
    get_routing_for_object,
    process_routing,
)

from imbcore.exceptions import ParameterError


def build_metadata_router(decomposition: Any, base: Any) -> MetadataRouter:
    """Describe the metadata of a decomposition and of members like ``base``."""
    wanted = get_routing_for_object(base)
    if isinstance(wanted, MetadataRequest) and wanted.fit.requests.get("sample_weight", True) is None:
        # The decomposition passes weights on explicitly, so the member need not request them.
        wanted.fit.add_request(param="sample_weight", alias=True)
    own = MetadataRouter(owner=decomposition).add_self_request(decomposition)
    return own.add(estimator=wanted, method_mapping=MethodMapping().add(caller="fit", callee="fit"))


def metadata_for_members(decomposition: Any, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metadata of a fit that the members receive."""
    if not given:
        return {}
    if not get_config()["enable_metadata_routing"]:
        raise ParameterError(
            f"{type(decomposition).__name__}.fit passes {sorted(given)} only to its members, by "
            "scikit-learn's metadata routing: call sklearn.set_config(enable_metadata_routing=True), and "
            "set_fit_request of the estimator"
        )
    return process_routing(decomposition, "fit", **given).estimator.fit
