"""What was fitted."""
