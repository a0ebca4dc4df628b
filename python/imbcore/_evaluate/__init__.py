"""Cross-validation of methods and classifiers on the same splits."""

from imbcore._evaluate.door import evaluate
from imbcore._evaluate.evaluation import Difference, Evaluation, Evaluations

__all__ = ["Difference", "Evaluation", "Evaluations", "evaluate"]
