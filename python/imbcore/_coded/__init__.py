"""Trees and forests that learn from all rows of a source, of which they need only the bins.

The labels are read first, then all columns for their bins, and once more for the codes of the rows: a byte a
value, in a file that ends with the process. Trees grow on that file.
"""
