"""What everything else stands on: errors, findings, text and time; it imports nothing else of Penstock."""
