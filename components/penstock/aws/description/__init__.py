"""What a description may ask of AWS."""
