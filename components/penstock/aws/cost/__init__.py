"""What resources of AWS cost, and where their prices come from."""
