"""What resources of Azure cost, and where their prices come from."""
