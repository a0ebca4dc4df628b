# Written by `make generate` from the registry of methods; edit that, not this.
"""What parameters choose between."""
