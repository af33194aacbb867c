"""What Alembic runs to apply the steps: on the connection that it was given."""

from alembic import context

from tablebridge.archive.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
with context.begin_transaction():
    context.run_migrations()
