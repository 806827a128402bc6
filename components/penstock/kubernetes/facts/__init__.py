"""Facts about Kubernetes: its API, its charts and the levels of its security."""
