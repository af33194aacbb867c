"""Words of the table: pure, frozen, shared by every other package."""
