"""What a camera sees of a table's placements. The entrance is `looks.py`."""
