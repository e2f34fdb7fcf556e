"""Experiments that a class shares out among its phones, and their runs."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0004", "0003"


def upgrade() -> None:
    """Make the two tables, and the column that says which experiment a room shared out last."""
    op.add_column("rooms", sa.Column("experiment_id", sa.Integer))
    op.create_table(
        "experiments",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "code", sa.String(4), sa.ForeignKey("rooms.code", ondelete="CASCADE"), nullable=False
        ),
        sa.Column("experiment", sa.JSON, nullable=False),
        sa.Column("ended_at", sa.Double),
    )
    op.create_index("ix_experiments_code", "experiments", ["code"])
    op.create_table(
        "runs",
        sa.Column(
            "experiment_id",
            sa.Integer,
            sa.ForeignKey("experiments.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("member", sa.String(32), nullable=False),
        sa.Column("value", sa.Double),
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("runs", "experiments"):
        op.drop_table(table)
    op.drop_column("rooms", "experiment_id")
