"""A cloud that nobody sells, in one folder: all that Penstock asks of a provider, and no line of shared code."""
