"""What a fit is made of: planets, noise, outliers."""
