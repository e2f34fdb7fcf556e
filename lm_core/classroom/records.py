"""What a class is made of: rooms, members, questions and answers."""

from dataclasses import dataclass
from typing import Literal

Kind = Literal["choice", "number", "token", "point", "word"]
"""What an answer is: one of the options, a number on an axis, the next character or token, a point in
the plane, or a free word."""


@dataclass(frozen=True)
class Place:
    """Where in the lab a presenter is.

    Attributes
    ----------
    page : str
        Its address; empty for the home page.
    parameters : dict of str to list of str
        The settings, as a link has them.
    """

    page: str
    parameters: dict[str, list[str]]


@dataclass(frozen=True)
class Question:
    """What a class is asked.

    Attributes
    ----------
    kind : {"choice", "number", "token", "point", "word"}
    text : str
    options : tuple of str
        Of a choice: two or more.
    axes : tuple of str
        Of a point: what its two coordinates are called.
    lowest, highest : float
        Of a number and of a point's coordinates: the ends of the axis.
    right : str or None
        The answer that holds, written as answers are; None where nobody said.
    also_right : tuple of str
        Of a choice: the other options that hold.
    page, name : str
        The page whose own prediction this is, and its name there; empty for a teacher's question.
    link : str
        What it asks about, as a page and its settings; empty where that does not matter.
    """

    kind: Kind
    text: str
    options: tuple[str, ...] = ()
    axes: tuple[str, ...] = ()
    lowest: float = 0.0
    highest: float = 0.0
    right: str | None = None
    page: str = ""
    name: str = ""
    link: str = ""
    also_right: tuple[str, ...] = ()

    @property
    def holding(self) -> tuple[str, ...]:
        """Every answer that is known to hold."""
        return (() if self.right is None else (self.right,)) + self.also_right


@dataclass(frozen=True)
class AskedQuestion:
    """A question as a room has asked it.

    Attributes
    ----------
    id : int
        Its name in the database.
    question : Question
    is_revealed : bool
        Whether the answers may be seen.
    """

    id: int
    question: Question
    is_revealed: bool


@dataclass(frozen=True)
class RoomState:
    """What everybody in a room may know; two of them are equal where nothing has changed.

    Attributes
    ----------
    code : str
    is_open : bool
    place : Place or None
        Where a presenter leads; None while nobody is led.
    leader : str or None
        The `Member.id` of that presenter.
    asked : AskedQuestion or None
        The running question, or the last one until the next is asked.
    answer_count : int
        Answers to it so far.
    member_count : int
        Students who have joined; presenters are not counted, nor who was removed.
    here_count, here_answer_count : int
        Students with an open page, and how many of these have answered.
    removed_count : int
        Students whom a presenter has removed.
    revealed_count : int
        Questions that have been revealed so far.
    is_locked : bool
        Whether nobody new may join.
    """

    code: str
    is_open: bool
    place: Place | None
    leader: str | None
    asked: AskedQuestion | None
    answer_count: int
    member_count: int
    here_count: int = 0
    here_answer_count: int = 0
    removed_count: int = 0
    revealed_count: int = 0
    is_locked: bool = False


@dataclass(frozen=True)
class Member:
    """Somebody in a room.

    Attributes
    ----------
    id : str
        A hash that says nothing outside this room.
    alias : str
        The name that the class sees.
    is_presenter : bool
    """

    id: str
    alias: str
    is_presenter: bool


@dataclass(frozen=True)
class Attendance:
    """A student of a room, as its presenter sees them.

    Attributes
    ----------
    id : str
        A hash that says nothing outside this room.
    alias : str
    is_here : bool
        Whether a page of theirs is open.
    answer_count : int
        Questions that they have answered.
    """

    id: str
    alias: str
    is_here: bool
    answer_count: int


@dataclass(frozen=True)
class OpenedRoom:
    """A new room's code, and the passcode for the powers of its presenter."""

    code: str
    passcode: str


@dataclass(frozen=True)
class AnswerRow:
    """One line of what a class has answered.

    Attributes
    ----------
    question : AskedQuestion
    alias : str
    value : str
        As `questions.checked_answer` writes it.
    seconds : float
        From the question to the answer.
    """

    question: AskedQuestion
    alias: str
    value: str
    seconds: float
