"""tablebridge: reads a physical poker table, rules every hand, tells the floor."""

__version__ = "0.1.0"
