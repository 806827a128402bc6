"""Facts about Google Cloud: what it sells and by which rules."""
