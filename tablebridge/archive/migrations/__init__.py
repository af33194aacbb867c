"""How the tables of the archive came to be, one step per file of `versions`; Alembic applies them."""
