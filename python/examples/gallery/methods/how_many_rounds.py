"""
How many rounds of boosting
===========================

Boosted trees choose their rounds on stratified inner folds, in which every rare row judges once. The
picture shows the score after each round, and the rounds that were taken: a lower learning rate takes
more of them, to about the same loss.
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
