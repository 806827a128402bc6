"""Policies for Azure resources; a module bears the name of its category."""
