"""Tags: everything tells whose it is and what it is for."""
