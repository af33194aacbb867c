"""Sensing and engine, joined: readings in, entries with their findings out."""
