"""Generators and checks of the data that Penstock ships; each is run as `python -m tools.NAME`."""
