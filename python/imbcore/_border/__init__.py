"""The border: the only place that imports the native module."""
