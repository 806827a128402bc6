"""Views of one rehearsal."""
