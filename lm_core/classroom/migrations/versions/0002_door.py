"""A door that a presenter locks, members who were removed, and when each was seen last."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"


def upgrade() -> None:
    """Add the columns; whoever is in a room has not been removed, and was seen at no known time."""
    _add("rooms", "is_locked", sa.Boolean(), sa.false())
    _add("members", "is_removed", sa.Boolean(), sa.false())
    _add("members", "seen_at", sa.Double(), sa.text("0"))


def _add(
    table: str,
    name: str,
    kind: sa.types.TypeEngine[bool] | sa.types.TypeEngine[float],
    default: sa.ColumnElement[bool] | sa.TextClause,
) -> None:
    op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))


def downgrade() -> None:
    """Drop them."""
    op.drop_column("rooms", "is_locked")
    for name in ("is_removed", "seen_at"):
        op.drop_column("members", name)
