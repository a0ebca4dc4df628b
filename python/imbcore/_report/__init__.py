"""The report page on methods compared."""
