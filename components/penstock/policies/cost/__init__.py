"""Cost: no accelerator runs that nobody asked for, or longer than needed."""
