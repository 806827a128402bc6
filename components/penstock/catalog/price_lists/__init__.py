"""What the clouds' price services say, as rows of our tables."""
