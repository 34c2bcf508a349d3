"""From a page's text to candidates whose every fact is a span of it; no model, no network."""
