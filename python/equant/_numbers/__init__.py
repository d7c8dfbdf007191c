"""What callers give as numbers: converted or refused, in one place."""
