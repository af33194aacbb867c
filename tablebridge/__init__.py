"""tablebridge: reads a physical poker table, rules every hand, alerts the floor."""

__version__ = "0.1.0"
DISTRIBUTION = "tablebridge-poker"
"""What this is called as a package: the name tablebridge on the Python Package Index is another project's."""
