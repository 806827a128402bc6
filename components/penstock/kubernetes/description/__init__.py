"""What a description may ask of Kubernetes."""
