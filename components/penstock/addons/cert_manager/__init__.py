"""cert-manager: certificates for webhooks."""
