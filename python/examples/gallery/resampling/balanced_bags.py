"""
Balanced bags of any classifier
===============================

Bagging on balanced bags, with trees of imbcore and with logistic regression. Probabilities are
corrected to the class priors of the data.
"""

import matplotlib.pyplot as plt
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore import datasets, plotting

data = datasets.load("satimage4")
logistic = make_pipeline(StandardScaler(), LogisticRegression(max_iter=500))
methods = {
    "one tree": "c45",
    "under-bagging, trees": imbcore.UnderBaggingClassifier(
        estimator=imbcore.C45Classifier(), n_estimators=20
    ),
    "under-bagging, logistic": imbcore.UnderBaggingClassifier(estimator=logistic, n_estimators=20),
    "trees, not corrected": imbcore.UnderBaggingClassifier(
        estimator=imbcore.C45Classifier(), n_estimators=20, prior_correction="none"
    ),
    "EasyEnsemble": imbcore.EasyEnsembleClassifier(),
}
result = imbcore.evaluate(data.X, data.y, methods, folds=3, random_state=0)
for name, one in result.items():
    print(
        f"{name:23} AP {one.mean()['average_precision']:.3f}   G-mean {one.mean()['g_mean']:.3f}"
        f"   log loss {one.mean()['log_loss']:.3f}   mean probability {one.proba[:, 1].mean():.3f}"
    )
print(f"proportion of positives: {data.y.mean():.3f}")

# %%

ax = plotting.plot_calibration(
    result["one tree"].y,
    {name: result[name].proba for name in ("under-bagging, trees", "trees, not corrected")},
)
plt.show()
