"""Policies for Google Cloud resources; a module bears the name of its category."""
