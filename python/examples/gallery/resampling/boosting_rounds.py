"""
Boosting with resampling: RUSBoost, SMOTEBoost, AdaC2
=====================================================

Scores by number of rounds. ``warm_start`` continues the last fit and gives the same model as a fit
from scratch.
"""

import matplotlib.pyplot as plt

import imbcore
from imbcore import datasets, metrics

data = datasets.load("segment0")
X = data.X.to_pandas().iloc[:, 1:8]
train, test = slice(0, None, 2), slice(1, None, 2)
rounds = range(5, 61, 5)
stump = imbcore.CARTClassifier(max_depth=1)
fig, ax = plt.subplots()
for ensemble in (
    imbcore.AdaBoostClassifier(stump, warm_start=True, random_state=0),
    imbcore.RUSBoostClassifier(stump, warm_start=True, random_state=0),
    imbcore.SMOTEBoostClassifier(stump, warm_start=True, random_state=0),
    imbcore.AdaC2Classifier(stump, class_costs=(1.0, 0.5), warm_start=True, random_state=0),
):
    scores = []
    for n_estimators in rounds:
        ensemble.set_params(n_estimators=n_estimators).fit(X[train], data.y[train])
        scores_of_rows = ensemble.decision_function(X[test])
        scores.append(metrics.average_precision_score(data.y[test], scores_of_rows))
    ax.plot(rounds, scores, "o-", label=type(ensemble).__name__.removesuffix("Classifier"))
ax.set(xlabel="round", ylabel="average precision")
ax.legend()
plt.show()
