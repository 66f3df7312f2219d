"""What protects the service from too much: admission, deadlines, rates and sizes."""
