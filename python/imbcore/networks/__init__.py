"""Bayesian networks over discrete variables: learning, inference, sampling and files."""

from imbcore.networks._answers import Distribution, Explanation
from imbcore.networks.bayesian_network import BayesianNetwork

__all__ = ["BayesianNetwork", "Distribution", "Explanation"]
