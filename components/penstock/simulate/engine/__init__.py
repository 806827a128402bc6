"""The real engine over simulated clouds: the Pulumi CLI runs the program, and Penstock serves its provider plugins."""
