"""Encryption in transit: nobody on the way reads along."""
