"""Models of Google Cloud resources, which rules, cost and diffs read."""
