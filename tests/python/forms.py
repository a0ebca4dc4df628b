"""Predictions of models in every export format whose runtime is installed."""

import json
import shutil

import numpy as np
import pandas as pd
import programs
import reader
from runtimes import onnx_answers, pmml_answers


def rows_of(frame):
    return frame.astype(object).where(frame.notna(), None).to_dict("records")


def all_forms(folder, models, frames):
    """Labels and probabilities of rows by every format whose runtime is installed, model by model."""
    documents = [json.loads(model.to_json()) for model in models]
    yield "json", [read(*case) for case in zip(documents, frames, strict=True)]
    texts = [in_texts(*case) for case in zip(documents, frames, strict=True)]
    for form, compiler, make in (("c", "cc", programs.c_program), ("rust", "rustc", programs.rust_program)):
        if shutil.which(compiler):
            (folder / form).mkdir()
            yield form, programs.answers(make(folder / form, models), models, texts)
    cases = zip(models, documents, frames, strict=True)
    outputs = [onnx_answers(model.to_onnx(), document["features"], frame) for model, document, frame in cases]
    yield (
        "onnx",
        [
            (["None" if label in ("", -(2**63)) else label for label in found], proba)
            for found, proba in outputs
        ],
    )
    outputs = pmml_answers(folder, models, frames)
    yield (
        "pmml",
        [(["None" if pd.isna(label) else label for label in found], proba) for found, proba in outputs],
    )


def read(document, frame):
    outputs = [reader.answer(document, row) for row in rows_of(frame)]
    unknown = [np.nan] * len(document["classes"])
    return [label for label, _ in outputs], np.array([proba or unknown for _, proba in outputs])


def in_texts(document, frame):
    """Rows as inputs of programs, in which levels are text."""
    nominal = [feature["name"] for feature in document["features"] if feature["kind"] == "nominal"]
    return frame.assign(**{name: [text_of(value) for value in frame[name]] for name in nominal})


def text_of(level):
    """Text of a level; booleans are the numbers 0 and 1."""
    if level is None or level != level:
        return level
    return str(int(level)) if isinstance(level, bool) else str(level)
