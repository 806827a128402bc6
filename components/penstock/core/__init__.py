"""Small helpers without a subject of their own: versions, texts, address ranges, quantities."""
