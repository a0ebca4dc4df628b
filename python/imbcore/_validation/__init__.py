"""Validation and conversion of user input to native form, independent of methods."""
