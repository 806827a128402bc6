"""The components for AWS, one a file."""
