"""A class in its room: the code, its teacher and a student on a page that asks something."""

import pytest

from tests.pages.shared.classroom import people


@pytest.fixture
def code():
    return people.opened().code


@pytest.fixture
def teacher(code):
    return people.arrive_as("teacher", people.RECALL, room=code)


@pytest.fixture
def student(code):
    return people.arrive_as("student", people.RECALL, room=code)
