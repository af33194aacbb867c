"""The pages of a room: all its tables, on any number of processes that keep nothing of their own."""
