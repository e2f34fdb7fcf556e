"""What a class is made of: rooms, members, questions and answers, experiments and their runs."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal[
    "choice",
    "number",
    "token",
    "point",
    "word",
    "several",
    "order",
    "match",
    "mark",
    "cell",
    "settings",
]
"""What an answer is: one of the options, a number on an axis, the next character or token, a point in
the plane, a free word, some of the options, all of them in an order, pairs, a word of a text, a cell of
a picture, or a page with its settings."""


@dataclass(frozen=True)
class Place:
    """Where in the lab a presenter is."""

    page: str
    """Its address; empty for the home page."""
    parameters: dict[str, list[str]]
    """The settings, as a link has them."""


@dataclass(frozen=True)
class Question:
    """What a class is asked."""

    kind: Kind
    """One of `Kind`."""
    text: str
    options: tuple[str, ...] = ()
    """Of a choice or several: two or more; of an order or pairs: what is sorted or has a partner; of a
    text: its words; of a picture: its rows."""
    axes: tuple[str, ...] = ()
    """Of a point: what its two coordinates are called; of a picture: its rows and its columns."""
    lowest: float = 0.0
    highest: float = 0.0
    """`lowest` and `highest`: of a number and of a point's coordinates: the ends of the axis."""
    right: str | None = None
    """The answer that holds, written as answers are; None where nobody said."""
    page: str = ""
    name: str = ""
    """`page` and `name`: the page whose own prediction this is, and its name there; empty for a
    teacher's question."""
    link: str = ""
    """What it asks about, as a page and its settings; empty where that does not matter."""
    also_right: tuple[str, ...] = ()
    """Of a choice: the other options that hold."""
    partners: tuple[str, ...] = ()
    """Of pairs: what goes with the options, in another order; of a picture: its columns."""
    tolerance: float | None = None
    """Of a number: how far from `right` an answer still holds; None for a twentieth of the axis."""
    reason: str = ""
    """Why that holds, shown with the answers; empty where nobody said."""

    @property
    def holding(self) -> tuple[str, ...]:
        """Every answer that is known to hold."""
        return (() if self.right is None else (self.right,)) + self.also_right


@dataclass(frozen=True)
class AskedQuestion:
    """A question as a room has asked it."""

    id: int
    """Its name in the database."""
    question: Question
    is_revealed: bool
    """Whether the answers may be seen."""


@dataclass(frozen=True)
class ClassExperiment:
    """An experiment of which each phone of a class makes a few runs."""

    name: str
    """Which experiment of the lab."""
    settings: dict[str, str]
    """What all runs have in common, as links name it."""
    n_runs: int
    """They are numbered from 0, and the number is a run's seed or setting."""
    round_size: int = 0
    """Runs that are made before the next ones may begin, one by each phone; 0 where none waits."""
    n_settings: int = 0
    """Settings that the runs take in turn, if nobody is to make two runs of one; 0 where one may."""


@dataclass(frozen=True)
class SharedOut:
    """An experiment as a room has shared it out."""

    id: int
    """Its name in the database."""
    experiment: ClassExperiment
    is_over: bool
    """Whether no more runs are made."""


@dataclass(frozen=True)
class FinishedRun:
    """What one phone's run came to."""

    number: int
    alias: str
    """Of the student who made it."""
    value: float
    is_own: bool
    """Whether the visitor who asks has made it."""


@dataclass(frozen=True)
class LessonStep:
    """A step of a lesson."""

    lesson: str
    """The name by which links have it."""
    step: int
    """From 1."""


@dataclass(frozen=True)
class Talk:
    """The answers to a revealed question that a class talks about, as its presenter has picked them."""

    question_id: int
    """`AskedQuestion.id` of that question."""
    members: tuple[str, ...]
    """Whose answers, by `Member.id`, in the order in which they are shown."""
    n_shown: int = 0
    """How many of them the class sees."""
    has_aliases: bool = False
    """Whether it sees who has given them."""

    @property
    def shown(self) -> tuple[str, ...]:
        """Whose answers the class sees."""
        return self.members[: self.n_shown]


@dataclass(frozen=True)
class GivenAnswer:
    """What somebody has answered."""

    member: str
    """Their `Member.id`."""
    alias: str
    """Empty where it is not shown."""
    value: str
    """As `questions.checked_answer` writes it."""


@dataclass(frozen=True)
class RoomState:
    """What everybody in a room may know; two of them are equal where nothing has changed."""

    code: str
    is_open: bool
    place: Place | None
    """Where a presenter leads; None while nobody is led."""
    leader: str | None
    """The `Member.id` of that presenter."""
    asked: AskedQuestion | None
    """The running question, or the last one until the next is asked."""
    answer_count: int
    """Answers to it so far."""
    member_count: int
    """Students who have joined; presenters are not counted, nor who was removed."""
    here_count: int = 0
    here_answer_count: int = 0
    """`here_count` and `here_answer_count`: students with an open page, and how many of these
    have answered."""
    removed_count: int = 0
    """Students whom a presenter has removed."""
    revealed_count: int = 0
    """Questions that have been revealed so far."""
    is_locked: bool = False
    """Whether nobody new may join."""
    answers_shown: tuple[str, ...] = ()
    """Pages whose answers, to what they suggest to try, the class may see."""
    shared_out: SharedOut | None = None
    """The experiment that was shared out last."""
    run_count: int = 0
    """Runs of it that have come to their end."""
    is_paused: bool = False
    """Whether the students' screens rest."""
    waits_at: LessonStep | None = None
    """The step beyond which nobody goes."""
    talk: Talk | None = None
    """The answers to `asked` that are talked about."""

    @property
    def run_count_of_rounds(self) -> int:
        """Runs of it in rounds that are complete; 0 where it has none."""
        size = self.shared_out.experiment.round_size if self.shared_out else 0
        return self.run_count // size * size if size else 0


@dataclass(frozen=True)
class Member:
    """Somebody in a room."""

    id: str
    """A hash that says nothing outside this room."""
    alias: str
    """The name that the class sees."""
    is_presenter: bool


@dataclass(frozen=True)
class Attendance:
    """A student of a room, as its presenter sees them."""

    id: str
    """A hash that says nothing outside this room."""
    alias: str
    is_here: bool
    """Whether a page of theirs is open."""
    answer_count: int
    """Questions that they have answered."""
    step: LessonStep | None = None
    """Where they are in a lesson."""


@dataclass(frozen=True)
class OpenedRoom:
    """A new room's code, and the passcode for the powers of its presenter."""

    code: str
    passcode: str


@dataclass(frozen=True)
class AnswerRow:
    """One line of what a class has answered."""

    question: AskedQuestion
    alias: str
    value: str
    """As `questions.checked_answer` writes it."""
    seconds: float
    """From the question to the answer."""
