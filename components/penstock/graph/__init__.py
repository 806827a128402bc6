"""Resources as records: what was registered, how rules read it, and what they may say of it."""
