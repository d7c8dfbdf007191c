"""What posteriors say of times to come: predictions and plans."""
