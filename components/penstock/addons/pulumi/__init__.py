"""The Pulumi Kubernetes Operator: stacks that follow a repository."""
