"""Policies for AWS resources; a module bears the name of its category."""
