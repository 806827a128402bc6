"""JobSet: jobs of several parts."""
