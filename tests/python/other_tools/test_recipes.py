"""Recipes of the pages for optional libraries, marked `py`, run if these are installed."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[3] / "python" / "docs"


def blocks(page):
    """The Python code of a page: examples, and recipes."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"^```py(?:thon)?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def names_after(page, *words):
    """Run the blocks of a page that have one of the words, and return their names."""
    names = {"__name__": "recipe"}
    for code in blocks(page):
        if any(word in code for word in words):
            exec(compile(code, page, "exec"), names)
    return names


def test_optuna_prunes_trials():
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = names_after("tuning.md", "load_digits", "import optuna")["study"]
    states = {trial.state.name for trial in study.trials}
    assert states == {"COMPLETE", "PRUNED"}
    assert study.best_value > 0.9


def test_fastapi_answers_with_reasons_and_errors(tmp_path, monkeypatch):
    pytest.importorskip("fastapi")
    client_module = pytest.importorskip("fastapi.testclient", exc_type=Exception)
    monkeypatch.chdir(tmp_path)
    app = names_after("serving.md", 'fraud.imb")\n\nmodel', "FastAPI(")["app"]
    client = client_module.TestClient(app)
    assert client.get("/model").json()["features"] == ["amount", "country"]
    found = client.post("/predict", json={"amount": 899, "country": "XX"}).json()
    assert found["prediction"] == "fraud"
    assert set(found["probabilities"]) == {"fine", "fraud"}
    assert set(found["reasons"]) == {"amount", "country"}
    missing = client.post("/predict", json={"amount": 899})
    assert missing.status_code == 422
    assert "country" in missing.json()["detail"]


def test_bentoml_predicts(tmp_path, monkeypatch):
    pytest.importorskip("bentoml")
    monkeypatch.chdir(tmp_path)
    service = names_after("serving.md", 'fraud.imb")\n\nmodel', "bentoml.service")["Fraud"]
    found = service.inner().predict({"amount": 899, "country": "XX"})
    assert found["fraud"] > 0.5
