"""What a description may ask of Google Cloud."""
