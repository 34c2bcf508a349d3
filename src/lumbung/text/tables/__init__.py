"""Word tables of the spelling and name modules, as data."""
