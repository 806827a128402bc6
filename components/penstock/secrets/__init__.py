"""Detection and redaction of secrets: known forms, encoded texts, program output, reported properties."""
