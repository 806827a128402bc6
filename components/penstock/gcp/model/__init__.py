"""Models that rules, cost and diff read from resources of Google Cloud."""
