"""Many stars at a time."""
