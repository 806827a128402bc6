"""The resource types of the Prometheus operator."""
