"""Methods and classifiers scored on the same parts of a table."""

from imbcore._evaluate.door import evaluate
from imbcore._evaluate.evaluation import Difference, Evaluation, Evaluations

__all__ = ["Difference", "Evaluation", "Evaluations", "evaluate"]
