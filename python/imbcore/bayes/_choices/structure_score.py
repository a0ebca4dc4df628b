# Written by `make generate` from the registry of methods; edit that, not this.
"""What ``structure_score`` chooses between."""

from __future__ import annotations

from typing import ClassVar, Literal

from imbcore._estimators.choice import Choice
from imbcore._input.options import keep_arguments

__all__ = ["BIC", "AIC", "LogLikelihood", "K2", "BDeu", "BDs", "BDJ", "FNML", "QNML"]


class BIC(Choice):
    """Bayesian information criterion.

    Parameters
    ----------
    structure_constant : float, default=1.0
        Factor of the penalty of BIC and AIC; 1 is the usual one, less lets in more arcs. Must be a number
        of at least 0.
    mle : {"family", "pairwise"}, default="family"
        Log-likelihood of whole families, or the sum of mutual information over the arcs.
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "bic"

    def __init__(
        self,
        *,
        structure_constant: float = 1.0,
        mle: Literal["family", "pairwise"] = "family",
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class AIC(Choice):
    """Akaike's information criterion.

    Parameters
    ----------
    structure_constant : float, default=1.0
        Factor of the penalty of BIC and AIC; 1 is the usual one, less lets in more arcs. Must be a number
        of at least 0.
    mle : {"family", "pairwise"}, default="family"
        Log-likelihood of whole families, or the sum of mutual information over the arcs.
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "aic"

    def __init__(
        self,
        *,
        structure_constant: float = 1.0,
        mle: Literal["family", "pairwise"] = "family",
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class LogLikelihood(Choice):
    """Log-likelihood, without a penalty.

    Parameters
    ----------
    mle : {"family", "pairwise"}, default="family"
        Log-likelihood of whole families, or the sum of mutual information over the arcs.
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "ll"

    def __init__(
        self,
        *,
        mle: Literal["family", "pairwise"] = "family",
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class K2(Choice):
    """Marginal likelihood under uniform priors (Cooper and Herskovits 1992).

    Parameters
    ----------
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "k2"

    def __init__(
        self,
        *,
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class BDeu(Choice):
    """Bayesian Dirichlet, equivalent and uniform (Heckerman, Geiger and Chickering 1995).

    Parameters
    ----------
    equivalent_sample_size : float, default=1.0
        Imagined rows that BDeu and BDs spread over the cells. Must be a positive number.
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "bdeu"

    def __init__(
        self,
        *,
        equivalent_sample_size: float = 1.0,
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class BDs(Choice):
    """Bayesian Dirichlet, sparse (Scutari 2016).

    Parameters
    ----------
    equivalent_sample_size : float, default=1.0
        Imagined rows that BDeu and BDs spread over the cells. Must be a positive number.
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "bds"

    def __init__(
        self,
        *,
        equivalent_sample_size: float = 1.0,
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class BDJ(Choice):
    """Bayesian Dirichlet under Jeffreys' prior, half an imagined row a cell (Suzuki 2016).

    Parameters
    ----------
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "bdj"

    def __init__(
        self,
        *,
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class FNML(Choice):
    """Factorised normalised maximum likelihood (Silander, Roos, Kontkanen and Myllymäki 2008): no prior to choose.

    Parameters
    ----------
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "fnml"

    def __init__(
        self,
        *,
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())


class QNML(Choice):
    """Quotient normalised maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018): no prior to choose, and equal for graphs that imply the same independences.

    Parameters
    ----------
    gaps : {"node_average", "available"}, default="node_average"
        Score of a family that only some rows know: their average times all rows, or their sum, which
        favours families with gaps.
    """

    _choice: ClassVar[str] = "qnml"

    def __init__(
        self,
        *,
        gaps: Literal["node_average", "available"] = "node_average",
    ) -> None:
        keep_arguments(self, locals())
