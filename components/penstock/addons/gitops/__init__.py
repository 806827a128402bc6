"""GitOps: Argo CD, which follows a repository."""
