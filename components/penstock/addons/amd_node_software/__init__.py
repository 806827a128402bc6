"""AMD's GPUs on nodes that lack their software."""
