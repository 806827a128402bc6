"""Models of Azure resources, which rules, cost and diffs read."""
