"""A language server for stack files: what is wrong, what would be right, what a field means and what it costs.

`server` speaks the protocol; the other modules know nothing of it, so that they can be tried by themselves.
"""
