"""Result of an exact search, as attributes of models and estimators."""

from __future__ import annotations

from typing import Any


class CertificateAttributes:
    """Attributes of the certificate of an exact search."""

    @property
    def status_(self) -> str:
        """Reason why the search ended."""
        return str(self._certificate_entry("status"))

    @property
    def objective_(self) -> float:
        """Objective of the model on the training rows."""
        return float(self._certificate_entry("objective"))

    @property
    def bound_(self) -> float:
        """Proven bound on the objective of all models of this kind; a lower bound for costs."""
        return float(self._certificate_entry("bound"))

    @property
    def gap_(self) -> float:
        """Optimality gap: difference between bound and objective."""
        return float(self._certificate_entry("gap"))

    @property
    def proven_optimal_(self) -> bool:
        """Whether the model is proven optimal."""
        return bool(self._certificate_entry("proven_optimal"))

    def _certificate_entry(self, name: str) -> Any:
        raise NotImplementedError
