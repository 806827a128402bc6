"""Description fields for Azure: offers, node pools, rules."""
