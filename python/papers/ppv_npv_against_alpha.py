"""Park and Ghosh 2012, figure 1: precision and negative predictive value of alpha-trees against alpha.

Alpha-trees of depth 3 on the set ``sick``, nominal columns dummy coded, in stratified 5-fold
cross-validation. A larger alpha should raise the positive predictive value (PPV, precision), and lower the
negative one (NPV).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from paper_output import dummy_coded, keep, keep_figure, load, markdown, options

import imbcore
from imbcore import metrics
from imbcore.plotting._axes import PALETTE
from imbcore.protocols import StratifiedFolds

ALPHAS = tuple(round(0.1 * step, 1) for step in range(1, 20))
Values = NDArray[np.float64]


def main() -> None:
    """Run the cross-validation and write its table and picture."""
    chosen = options(__doc__, repeats=2)
    data = load("sick")
    X = dummy_coded(data.X)
    values = measure(X, data.y, ALPHAS, StratifiedFolds(5, chosen.repeats, random_state=chosen.seed))
    keep(chosen.output, "ppv_npv_against_alpha", report(values))
    keep_figure(chosen.output, "ppv_npv_against_alpha", picture(values))


def measure(X: Any, y: ArrayLike, alphas: tuple[float, ...], folds: StratifiedFolds) -> Values:
    """Mean PPV and NPV over the test parts where they are defined: a row an alpha."""
    truth = np.asarray(y)
    values = np.empty((len(alphas), folds.get_n_splits(), 2))
    for part, (train, test) in enumerate(folds.split(y=truth)):
        for row, alpha in enumerate(alphas):
            model = imbcore.fit(X.take(train), truth[train], "alpha_tree", alpha=alpha, max_depth=3)
            answer = model.predict(X.take(test))
            nan = {"pos_label": 1, "zero_division": np.nan}
            values[row, part] = (
                metrics.precision_score(truth[test], answer, **nan),
                metrics.negative_predictive_value(truth[test], answer, **nan),
            )
    return np.nanmean(values, axis=1)


def trends(values: Values, alphas: tuple[float, ...] = ALPHAS) -> tuple[Values, Values]:
    """Slope of the regression on alpha and correlation with it, of PPV and NPV."""
    slopes = np.polyfit(alphas, values, 1)[0]
    return slopes, np.array([np.corrcoef(alphas, column)[0, 1] for column in values.T])


def report(values: Values) -> str:
    """Write PPV and NPV for every alpha and their trends."""
    slopes, correlations = trends(values)
    rows = [
        (f"{alpha:.1f}", float(ppv), float(npv)) for alpha, (ppv, npv) in zip(ALPHAS, values, strict=True)
    ]
    signs = slopes * (1.0, -1.0)
    reached = bool((signs > 0).all() and (abs(correlations) > 0.5).all())
    verdict = (
        f"PPV: slope {slopes[0]:+.4f} per unit of alpha, correlation {correlations[0]:+.2f}\n"
        f"NPV: slope {slopes[1]:+.4f} per unit of alpha, correlation {correlations[1]:+.2f}\n\n"
        "Reproduced when PPV rises, NPV falls and both correlations exceed 0.5 in size: "
        f"{'yes' if reached else 'NO'}"
    )
    return f"# PPV and NPV against alpha (sick)\n\n{markdown(('alpha', 'PPV', 'NPV'), rows)}\n\n{verdict}"


def picture(values: Values) -> Any:
    """Draw both values and their regression lines."""
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, 2, figsize=(8, 3.2), layout="constrained")
    for index, (panel, name) in enumerate(zip(panels, ("PPV (precision)", "NPV"), strict=True)):
        slope, start = np.polyfit(ALPHAS, values[:, index], 1)
        colour = PALETTE[index]
        panel.plot(ALPHAS, values[:, index], "o-", color=colour, markersize=4)
        panel.plot(ALPHAS, start + slope * np.array(ALPHAS), ":", color=colour)
        panel.set(xlabel="alpha", title=name)
        for side in ("top", "right"):
            panel.spines[side].set_visible(False)
    return figure


if __name__ == "__main__":
    main()
