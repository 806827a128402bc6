"""An add-on that Penstock never heard of."""
