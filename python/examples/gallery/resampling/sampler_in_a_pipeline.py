"""
A sampler in a pipeline with corrected probabilities
====================================================

After under-sampling, a model predicts a mean probability of 0.5 if one row in ten is positive. The
prior shift can be corrected exactly.
"""

import matplotlib.pyplot as plt
from imblearn.pipeline import make_pipeline
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from imbcore import datasets, metrics, plotting
from imbcore.decisions import PriorShiftClassifier
from imbcore.sampling import SMOTE, RandomUnderSampler

data = datasets.load("page-blocks0")
X = data.X.to_pandas()
train, test = slice(0, None, 2), slice(1, None, 2)
for sampler in (RandomUnderSampler(random_state=0), SMOTE(random_state=0)):
    steps = make_pipeline(StandardScaler(), sampler, LogisticRegression(max_iter=2000))
    raw = steps.fit(X[train], data.y[train]).predict_proba(X[test])
    corrected = PriorShiftClassifier(steps).fit(X[train], data.y[train]).predict_proba(X[test])
    for name, proba in {"raw": raw, "corrected": corrected}.items():
        print(
            f"{type(sampler).__name__:19} {name:9} mean {proba[:, 1].mean():.3f}"
            f"   log loss {metrics.log_loss(data.y[test], proba):.3f}"
        )
print(f"proportion of positives: {data.y[test].mean():.3f}")

# %%

plotting.plot_calibration(data.y[test], {"raw": raw, "corrected": corrected})
plt.show()
