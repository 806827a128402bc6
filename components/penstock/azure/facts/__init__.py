"""Facts about Azure: its resource types, regions and machine sizes."""
