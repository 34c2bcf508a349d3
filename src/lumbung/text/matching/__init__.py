"""Records about the same thing, found in anybody's table: columns, blocking, comparison, model."""
