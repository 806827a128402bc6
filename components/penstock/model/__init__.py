"""Models of cloud objects, each read from a resource once, for provider rules and policies alike."""
