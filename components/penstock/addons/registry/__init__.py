"""The registry: repositories of container images."""
