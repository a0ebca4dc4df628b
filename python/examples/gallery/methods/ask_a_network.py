"""
Ask a network anything
======================

No column is special: learn the law of all of them, and ask for any given any others. Cars by price,
seats and safety; four in a hundred are judged very good.
"""

import matplotlib.pyplot as plt

from imbcore import BayesianNetwork, datasets, plotting

data = datasets.load("car_mc")
table = data.X.to_pandas().assign(verdict=data.y)
network = BayesianNetwork.learn(table)
print(network.arcs)
for known in ({}, {"safety": "high"}, {"safety": "high", "buying": "low"}, {"safety": "low"}):
    print(known, round(network.query("verdict", known)["vgood"], 3))

# %%
# The most probable car that is judged very good, and the strangest rows of the table:

print(network.mpe({"verdict": "vgood"}).states)
strange = table.assign(log_probability=network.log_probability(table)).sort_values("log_probability")
print(strange.head(3))

# %%
plotting.plot_network(network)
plt.show()
