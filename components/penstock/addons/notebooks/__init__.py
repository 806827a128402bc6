"""Notebooks: JupyterHub, and what its servers may run on."""
