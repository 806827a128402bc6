"""The components for Azure, one a file."""
