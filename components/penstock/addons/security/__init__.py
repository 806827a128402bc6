"""Security in a cluster: admission by rules, signatures of images, and scans of what runs."""
