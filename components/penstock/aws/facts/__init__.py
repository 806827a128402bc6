"""Facts about AWS: what it sells and by which rules."""
