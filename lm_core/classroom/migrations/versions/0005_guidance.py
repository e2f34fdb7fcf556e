"""Screens that rest, a step at which all wait, answers that are talked about, and each member's step."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0005", "0004"


def upgrade() -> None:
    """Add the columns; a room from before does not rest, and nobody's step is known."""
    no = sa.false()
    op.add_column("rooms", sa.Column("is_paused", sa.Boolean, nullable=False, server_default=no))
    for table, name in (("rooms", "waits_at"), ("rooms", "talk"), ("members", "lesson_step")):
        op.add_column(table, sa.Column(name, sa.JSON()))


def downgrade() -> None:
    """Drop them."""
    for name in ("is_paused", "waits_at", "talk"):
        op.drop_column("rooms", name)
    op.drop_column("members", "lesson_step")
