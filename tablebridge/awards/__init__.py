"""High hands and bad beats: a room's rules for them, the hands that they pay, and receipts."""
