# Written by `make generate` from the registry of methods; edit that, not this.
"""Constructors of the classes of this folder."""
