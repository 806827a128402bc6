"""External Secrets: secrets of a store as Secrets of namespaces."""
