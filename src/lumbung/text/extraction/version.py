"""The version of the lexical engine, apart from it: whoever only notes it loads no engine."""

EXTRACTOR_VERSION = "lexical-14"
