"""Fits to rows that need not fit into memory: files, queries, streams and Dask DataFrames.

A method reads the rows in passes. A pass scans batches into a state, merges the states of consecutive ranges
of rows, and its result goes into the next pass or into the model. The local executor scans all batches in
this process, in order; the Dask executor scans each partition on a worker and merges there. The model has the
same bytes either way, however files, batches and partitions divide the rows.
"""
