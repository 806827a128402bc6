"""A Graph in time: when what would be there, how much sooner it could be, and what faults leave behind."""
