"""Fetching from the open web behind the address guard."""
