"""How resources of Azure are read."""
