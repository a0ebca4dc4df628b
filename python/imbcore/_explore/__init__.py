"""Interactive page for choosing a threshold."""
