"""What a user hands over, read into the form that the border takes; no method is known here."""
