"""The page on which people choose a threshold."""
