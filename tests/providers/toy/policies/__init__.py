"""The policies of the toy cloud, a module a category."""
