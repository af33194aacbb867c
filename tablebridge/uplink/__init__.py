"""The uplink of a box: its records, from the journals to the stream of the room."""
