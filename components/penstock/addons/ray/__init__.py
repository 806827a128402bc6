"""Ray: its operator, and templates of what runs on it."""
