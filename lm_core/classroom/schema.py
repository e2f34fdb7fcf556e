"""The tables; `migrations` makes them, and a test holds the two together."""

import sqlalchemy as sa

METADATA = sa.MetaData()

_MEMBER = sa.String(32)
"""Who somebody is within one room: a hash, of no use elsewhere."""

ROOMS = sa.Table(
    "rooms",
    METADATA,
    sa.Column("code", sa.String(4), primary_key=True),
    sa.Column("passcode_hash", sa.String(64), nullable=False),
    sa.Column("opened_at", sa.Double, nullable=False),
    sa.Column("closed_at", sa.Double),
    sa.Column("outdated_since", sa.Double),
    sa.Column("place", sa.JSON(none_as_null=True)),
    sa.Column("leader", _MEMBER),
    sa.Column("question_id", sa.Integer),
    sa.Column("is_locked", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("answers_shown", sa.JSON(none_as_null=True)),
    sa.Column("experiment_id", sa.Integer),
    sa.Column("is_paused", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("waits_at", sa.JSON(none_as_null=True)),
    sa.Column("talk", sa.JSON(none_as_null=True)),
)

MEMBERS = sa.Table(
    "members",
    METADATA,
    sa.Column("code", sa.ForeignKey("rooms.code", ondelete="CASCADE"), primary_key=True),
    sa.Column("member", _MEMBER, primary_key=True),
    sa.Column("alias", sa.String(64), nullable=False),
    sa.Column("is_presenter", sa.Boolean, nullable=False),
    sa.Column("is_removed", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("seen_at", sa.Double, nullable=False, server_default=sa.text("0")),
    sa.Column("lesson_step", sa.JSON(none_as_null=True)),
    sa.UniqueConstraint("code", "alias", name="one_of_a_name"),
)

QUESTIONS = sa.Table(
    "questions",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("code", sa.ForeignKey("rooms.code", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("question", sa.JSON, nullable=False),
    sa.Column("asked_at", sa.Double, nullable=False),
    sa.Column("revealed_at", sa.Double),
)

ANSWERS = sa.Table(
    "answers",
    METADATA,
    sa.Column("question_id", sa.ForeignKey("questions.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("member", _MEMBER, primary_key=True),
    sa.Column("value", sa.String(200), nullable=False),
    sa.Column("answered_at", sa.Double, nullable=False),
    sa.Column("change_count", sa.Integer, nullable=False),
)

EXPERIMENTS = sa.Table(
    "experiments",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("code", sa.ForeignKey("rooms.code", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column("experiment", sa.JSON, nullable=False),
    sa.Column("ended_at", sa.Double),
)

RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column(
        "experiment_id", sa.ForeignKey("experiments.id", ondelete="CASCADE"), primary_key=True
    ),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("member", _MEMBER, nullable=False),
    sa.Column("value", sa.Double),
)
