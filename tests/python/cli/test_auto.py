"""Command line, model card and report of ensemble selection show the same leaderboard."""

from commands import fit, run

import imbcore
from imbcore.evaluation._leaderboard import leaderboard_section

SMALL = ("--method", "auto", "-p", "n_estimators=5", "-p", "budget=0.5", "--seed", "0")


def test_fit_prints_the_leaderboard(folder, capsys):
    fit(*SMALL, "--time-limit", "60")
    shown = capsys.readouterr().out
    model = imbcore.load("model.imb")
    assert model.params["time_limit"] == 60.0
    # Seconds are not stored in the file.
    for row in model.leaderboard_:
        assert row["member"] in shown
        assert row["seconds"] is None
    assert f"{model.validation_score_:.4f}" in shown


def test_time_limit_needs_a_method_with_this_parameter(folder, capsys):
    command = ("fit", "train.csv", "-t", "label", "-m", "cart", "--time-limit", "9", "-o", "model.imb")
    assert run(*command) == 2 or "time_limit" in capsys.readouterr().err


def test_card_and_report_have_the_leaderboard(folder):
    fit(*SMALL)
    model = imbcore.load("model.imb")
    best = next(row for row in model.leaderboard_ if row["weight"] > 0)
    assert "## Members" in model.to_card()
    assert f"{model.validation_score_:.4f}" in model.to_card()
    section = leaderboard_section(model)
    assert "<h2>Leaderboard</h2>" in section
    assert f"{best['score']:.4f}" in section
    assert leaderboard_section(imbcore.fit([[0.0], [1.0]] * 5, [0, 1] * 5, "cart")) == ""
