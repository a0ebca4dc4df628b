"""
Query a Bayesian network
========================

No column is special: the network models the joint distribution of all columns, and predicts any
column from any others. The data are cars with price, seats and safety; 4 % have the verdict very
good.
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
# The most probable car with the verdict very good, and the least probable rows of the table:

print(network.mpe({"verdict": "vgood"}).states)
unusual = table.assign(log_probability=network.log_probability(table)).sort_values("log_probability")
print(unusual.head(3))

# %%
plotting.plot_network(network)
plt.show()
