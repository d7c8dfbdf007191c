"""Astrometry beyond fits: draws, periodograms, many sources."""
