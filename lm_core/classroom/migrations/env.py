"""Alembic's entry: it is called with the connection of `database`, inside its transaction."""

from alembic import context

from lm_core.classroom.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
