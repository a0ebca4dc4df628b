"""Pytest plugin: replaces the classes imported by a test module of imbalanced-learn with those of imbcore."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import imbcore.ensembles
import imbcore.sampling

OURS = {name: getattr(home, name) for home in (imbcore.sampling, imbcore.ensembles) for name in home.__all__}
FAILED = []


def pytest_collection_modifyitems(items):
    for module in {item.module for item in items}:
        for name in OURS.keys() & vars(module).keys():
            setattr(module, name, OURS[name])


def pytest_runtest_makereport(item, call):
    if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
        FAILED.append(f"{item.module.__name__.rpartition('.')[2]}::{item.originalname}")


def pytest_sessionfinish():
    Path(os.environ["IMBCORE_PEER_FILE"]).write_text(json.dumps(sorted(set(FAILED))), encoding="utf-8")
