"""Models of Kubernetes resources, which rules, cost and diffs read."""
