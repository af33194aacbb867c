"""A board that reads cards and contacts and speaks the line protocol, version 1."""
