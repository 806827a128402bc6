"""Openings of networks: rules of firewalls and security groups, each read once."""
