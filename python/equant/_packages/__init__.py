"""What other packages have and want: their tables, arrays, draws and priors."""
