"""Supply chain: what runs is what was built and checked."""
