"""NVIDIA's network operator: RDMA adapters for pods."""
