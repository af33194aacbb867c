"""The archive of a room: records of all its tables, checked as they arrive, in PostgreSQL."""
