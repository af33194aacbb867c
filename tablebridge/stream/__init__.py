"""The stream of records from the boxes to the archive of a room: what both sides know of it."""
