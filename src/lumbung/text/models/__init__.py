"""Weights learned elsewhere, read at first use."""
