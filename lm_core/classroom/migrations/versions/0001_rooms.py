"""Rooms, their members, questions and answers."""

import sqlalchemy as sa
from alembic import op

revision, down_revision = "0001", None


def upgrade() -> None:
    """Make the four tables."""
    op.create_table(
        "rooms",
        sa.Column("code", sa.String(4), primary_key=True),
        sa.Column("passcode_hash", sa.String(64), nullable=False),
        sa.Column("opened_at", sa.Double, nullable=False),
        sa.Column("closed_at", sa.Double),
        sa.Column("outdated_since", sa.Double),
        sa.Column("place", sa.JSON),
        sa.Column("leader", sa.String(32)),
        sa.Column("question_id", sa.Integer),
    )
    op.create_table(
        "members",
        _room(primary_key=True),
        sa.Column("member", sa.String(32), primary_key=True),
        sa.Column("alias", sa.String(64), nullable=False),
        sa.Column("is_presenter", sa.Boolean, nullable=False),
        sa.UniqueConstraint("code", "alias", name="one_of_a_name"),
    )
    op.create_table(
        "questions",
        sa.Column("id", sa.Integer, primary_key=True),
        _room(),
        sa.Column("question", sa.JSON, nullable=False),
        sa.Column("asked_at", sa.Double, nullable=False),
        sa.Column("revealed_at", sa.Double),
    )
    op.create_index("ix_questions_code", "questions", ["code"])
    op.create_table(
        "answers",
        sa.Column(
            "question_id",
            sa.Integer,
            sa.ForeignKey("questions.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("member", sa.String(32), primary_key=True),
        sa.Column("value", sa.String(200), nullable=False),
        sa.Column("answered_at", sa.Double, nullable=False),
        sa.Column("change_count", sa.Integer, nullable=False),
    )


def _room(*, primary_key: bool = False) -> sa.Column[str]:
    return sa.Column(
        "code",
        sa.String(4),
        sa.ForeignKey("rooms.code", ondelete="CASCADE"),
        primary_key=primary_key,
        nullable=False,
    )


def downgrade() -> None:
    """Drop them."""
    for table in ("answers", "questions", "members", "rooms"):
        op.drop_table(table)
