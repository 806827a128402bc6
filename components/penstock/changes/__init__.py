"""The effects of a change on a stack: states, lifecycles, and the difference of two Graphs."""
