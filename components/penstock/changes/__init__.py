"""The effects of a change on a stack: lifecycles, and the difference of two Graphs."""
