"""How fast toolglot is, against the floor of the same run. See ``benchmarks/README.md``."""
