"""The components for Kubernetes, one a file."""
