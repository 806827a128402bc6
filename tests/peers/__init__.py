"""The checks of other scanners, and which of them our policies keep."""
