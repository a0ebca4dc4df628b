"""Plots of models, resampling, comparisons and score curves (needs matplotlib)."""

from imbcore.plotting._calibration_picture import plot_calibration
from imbcore.plotting._cd_picture import export_cd_svg, plot_cd
from imbcore.plotting._curves import plot_confusion, plot_precision_recall, plot_roc
from imbcore.plotting._hull_picture import plot_hull
from imbcore.plotting._isometrics_picture import plot_isometrics, plot_roc_3d
from imbcore.plotting._mean_curves import plot_mean_curves
from imbcore.plotting._models import (
    export_dot,
    export_text,
    plot_boxes,
    plot_decision_set,
    plot_trade_off,
    plot_tree,
)
from imbcore.plotting._network_picture import plot_network
from imbcore.plotting._resampling_picture import plot_resampling
from imbcore.plotting._rounds_picture import plot_rounds

__all__ = [
    "export_cd_svg",
    "export_dot",
    "export_text",
    "plot_boxes",
    "plot_calibration",
    "plot_cd",
    "plot_confusion",
    "plot_decision_set",
    "plot_hull",
    "plot_isometrics",
    "plot_mean_curves",
    "plot_network",
    "plot_precision_recall",
    "plot_resampling",
    "plot_roc",
    "plot_roc_3d",
    "plot_rounds",
    "plot_trade_off",
    "plot_tree",
]
