"""Training: Kubeflow Trainer and its runtimes."""
