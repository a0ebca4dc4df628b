"""scikit-learn's protocol, once for all estimator classes."""
