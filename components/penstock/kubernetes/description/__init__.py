"""Description fields for Kubernetes: offers, node pools, rules."""
