"""
A sampler in a pipeline, and its probabilities put right
========================================================

After undersampling a model says .5 where one row in ten is positive. The shares can be undone
exactly.
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
    mended = PriorShiftClassifier(steps).fit(X[train], data.y[train]).predict_proba(X[test])
    for name, proba in {"raw": raw, "mended": mended}.items():
        print(
            f"{type(sampler).__name__:19} {name:7} mean {proba[:, 1].mean():.3f}"
            f"   log loss {metrics.log_loss(data.y[test], proba):.3f}"
        )
print(f"share of positives: {data.y[test].mean():.3f}")

# %%

plotting.plot_calibration(data.y[test], {"raw": raw, "mended": mended})
plt.show()
