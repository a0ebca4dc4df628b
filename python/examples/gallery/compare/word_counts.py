"""
Classify texts by word counts
=============================

Which NumPy functions belong to linear algebra, according to the words of their documentation? About
one in twenty does. The texts are counted and classified by a forest and by a Bayesian network.
"""

import matplotlib.pyplot as plt
import numpy as np
from sklearn.feature_extraction.text import CountVectorizer

import imbcore

texts, labels = [], []
for module, is_rare in ((np, False), (np.linalg, True), (np.fft, False), (np.random, False)):
    for name in dir(module):
        text = getattr(getattr(module, name), "__doc__", None)
        if callable(getattr(module, name)) and not name.startswith("_") and text:
            texts.append(text.replace(name, " "))
            labels.append(is_rare)
words = CountVectorizer(max_features=300, binary=True, token_pattern=r"[a-z]{3,}")
X = words.fit_transform(texts).toarray().astype(float)
y = np.array(labels)
print(X.shape, f"{y.mean():.3f} of them are linear algebra")

result = imbcore.evaluate(
    X,
    y,
    {
        "naive Bayes": "naive_bayes",
        "Hellinger forest": ("random_forest", {"criterion": "hellinger"}),
        "tree": "hddt",
    },
    feature_names=list(words.get_feature_names_out()),
    folds=5,
    random_state=0,
)
print(result)

# %%
# The most informative words:

forest = imbcore.fit(X, y, "random_forest", feature_names=list(words.get_feature_names_out()), random_state=0)
order = np.argsort(-forest.feature_importances_)[:8]
print([words.get_feature_names_out()[j] for j in order])

# %%

fig, ax = plt.subplots()
ax.barh([words.get_feature_names_out()[j] for j in order[::-1]], forest.feature_importances_[order[::-1]])
ax.set_xlabel("importance")
plt.show()
