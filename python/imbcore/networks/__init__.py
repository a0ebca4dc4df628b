"""Bayesian networks over discrete variables: learn, ask, sample, read and write."""

from imbcore.networks._answers import Distribution, Explanation
from imbcore.networks.bayesian_network import BayesianNetwork

__all__ = ["BayesianNetwork", "Distribution", "Explanation"]
