"""What a change does to a stack: states, lifecycles, and the difference of two Graphs."""
