"""What resources of Google Cloud cost, and where their prices come from."""
