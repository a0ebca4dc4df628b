"""
Inside scikit-learn: pipelines, grids, nominal columns
======================================================

Thyroid disease from measurements and yes-no questions, with missing values. Text columns need no
encoding and missing values no imputation; a pipeline may still scale the numbers.
"""

import matplotlib.pyplot as plt
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import imbcore
from imbcore import datasets

data = datasets.load("allhypo")
X, y = data.X.to_pandas().drop(columns="TBG"), data.y  # TBG was never measured
print(X.dtypes.value_counts(), f"{X.isna().mean().mean():.1%} missing, {y.mean():.1%} ill")

# %%
# Splits of nominal columns separate sets of levels, and each split learns a branch for missing values.

scaled = ColumnTransformer(
    [("numbers", StandardScaler(), make_column_selector(dtype_include="number"))],
    remainder="passthrough",
    verbose_feature_names_out=False,
).set_output(transform="pandas")
steps = make_pipeline(scaled, imbcore.CARTClassifier(random_state=0))
grid = {"cartclassifier__criterion": ["gini", "hellinger"], "cartclassifier__min_samples_leaf": [1, 5, 20]}
search = GridSearchCV(steps, grid, scoring="average_precision", cv=5).fit(X, y)
print(search.best_params_, round(search.best_score_, 3))

# %%
print(search.best_estimator_[-1].model_.export_text(max_depth=2))

# %%

imbcore.plot_tree(search.best_estimator_[-1], max_depth=2)
plt.show()
