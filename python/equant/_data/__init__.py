"""What data sets are made of: options, origins, rows."""
