"""HTML report on a comparison of methods."""
