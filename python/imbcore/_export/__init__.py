"""Models that were written out as steps, in the forms of other libraries."""
