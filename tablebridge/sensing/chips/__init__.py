"""What chips do at bet spots, pot and tray. The entrance is `table_chips.py`."""
