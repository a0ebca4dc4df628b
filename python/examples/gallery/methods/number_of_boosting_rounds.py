"""
The number of boosting rounds
=============================

Boosted trees choose the number of rounds on stratified inner folds, which score every rare row
once. The plot shows the score after each round and the chosen number. A lower learning rate needs
more rounds for about the same loss.
"""

import matplotlib.pyplot as plt

from imbcore import BoostedTreesClassifier, datasets, plotting

data = datasets.load("yeast4")
options = {"stopping_score": "log_loss", "max_rounds": 300, "random_state": 0}
models = {
    f"learning_rate={rate}": BoostedTreesClassifier(learning_rate=rate, **options).fit(data.X, data.y)
    for rate in (0.2, 0.1, 0.05)
}
plotting.plot_rounds(models)
plt.show()
for name, model in models.items():
    print(name, model.n_rounds_, "rounds, log loss", round(float(model.validation_path_.min()), 4))
