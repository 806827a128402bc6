"""The report of a sizing, in the order of two frameworks: SCALE for what is needed, DEPLOY for how to get there."""
