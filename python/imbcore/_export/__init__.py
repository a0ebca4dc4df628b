"""Conversion of models in step form to the formats of other libraries."""
