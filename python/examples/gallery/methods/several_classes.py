"""
Several classes, some of them rare
==================================

Paper 2: one Hellinger tree for all classes, or binary subproblems by one-vs-all and by output
codes.
"""

import pandas as pd

import imbcore
from imbcore import ECOCClassifier, HDDTClassifier, OVAClassifier, datasets, evaluation

data = datasets.load("page-blocks-5_mc")
print(pd.Series(data.y).value_counts().to_dict())
learners = {
    "one tree, Hellinger": HDDTClassifier(),
    "one tree, C4.4": imbcore.C44Classifier(),
    "one-vs-all": OVAClassifier(HDDTClassifier()),
    "output codes": ECOCClassifier(HDDTClassifier()),
}
records = evaluation.run(learners, {"page blocks": data}, "1x2", seed=0)
for measure in ("wauroc", "hand_till", "macro_f1"):
    found = evaluation.means(records, measure)
    print(measure, dict(zip(found.methods, found.means[0].round(3).tolist(), strict=True)))
