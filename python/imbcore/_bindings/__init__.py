"""Python side of the bindings: the only package that imports the native module."""
