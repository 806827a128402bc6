"""Models of AWS resources, which rules, cost and diffs read."""
