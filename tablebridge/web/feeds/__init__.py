"""Flat tables of the delayed picture, as graphics programs read them: rows of text, in three formats."""
