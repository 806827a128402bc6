"""AWS IAM: policy documents, read once for provider rules and policies."""
