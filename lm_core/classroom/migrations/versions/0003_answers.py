"""Pages whose answers a presenter has shown to the class."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0003", "0002"


def upgrade() -> None:
    """Add the column; of a room from before, no page's answers have been shown."""
    op.add_column("rooms", sa.Column("answers_shown", sa.JSON()))


def downgrade() -> None:
    """Drop it."""
    op.drop_column("rooms", "answers_shown")
