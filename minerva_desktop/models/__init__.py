"""Models that run on the person's own machine."""
