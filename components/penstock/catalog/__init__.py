"""Facts about clouds: what they sell, where, at what price and by which rules, each with its source and date."""
