"""Forests that read few rows of many, from sources that need not fit into memory.

Which rows a tree sees follows from the seed and the numbers of rows of the classes alone. So the target is
read first; then, of all other columns, only the rows that some tree sees.
"""
