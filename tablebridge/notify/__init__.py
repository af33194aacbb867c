"""People outside the room are notified of alerts, by a process that knows no cards and no players."""
