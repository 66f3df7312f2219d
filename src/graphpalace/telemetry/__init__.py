"""What operators see of a process: ids of requests, metrics, and traces."""
