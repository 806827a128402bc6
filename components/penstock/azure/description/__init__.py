"""What a description may ask of Azure."""
