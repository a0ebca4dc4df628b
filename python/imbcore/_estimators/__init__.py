"""Base classes of the estimators with the scikit-learn API."""
