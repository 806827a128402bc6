"""The components for Google Cloud, one a file."""
