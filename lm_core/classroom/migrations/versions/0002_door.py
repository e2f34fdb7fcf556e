"""A door that a presenter locks, members who were removed, and when each was seen last."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0002", "0001"

_ADDED = {
    "rooms": [("is_locked", sa.Boolean)],
    "members": [("is_removed", sa.Boolean), ("seen_at", sa.Double)],
}


def upgrade() -> None:
    """Add the columns; whoever is in a room has not been removed, and was seen at no known time."""
    for table, columns in _ADDED.items():
        for name, kind in columns:
            default = sa.false() if kind is sa.Boolean else sa.text("0")
            op.add_column(table, sa.Column(name, kind, nullable=False, server_default=default))


def downgrade() -> None:
    """Drop them."""
    for table, columns in _ADDED.items():
        for name, _ in columns:
            op.drop_column(table, name)
