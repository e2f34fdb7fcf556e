"""One record says how large files may be: readers and server agree with it."""

import dataclasses
import tomllib

import pytest

from lm_core.errors import LessonError, TextError
from lm_core.text import own_text, spreadsheets
from lm_core.text.file_limits import LIMITS, MEGABYTE, in_megabytes
from lm_core.text.own_text import read_own_text
from lm_core.text.tokenizers.hugging_face import read_tokenizer_json
from pages.shared.clustering.uploaded_table import read_table
from pages.shared.lessons.lesson_file import parse_lesson
from pages.shared.server.guards.uploads import UploadLimits
from tests.conftest import ROOT

SERVER = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text("utf-8"))["server"][
    "maxUploadSize"
]


@pytest.mark.parametrize(
    ("read", "most"),
    [
        (read_own_text, LIMITS.text),
        (read_table, LIMITS.table),
        (parse_lesson, LIMITS.lesson),
        (read_tokenizer_json, LIMITS.tokenizer),
    ],
    ids=["text", "table", "lesson", "tokenizer"],
)
def test_a_reader_takes_as_much_as_the_record_says(read, most):
    with pytest.raises((TextError, LessonError), match=r"at most|may have"):
        read(b"1,2\n" * (most // 4 + 1))


def test_the_server_lets_in_every_file_but_the_largest_vectors():
    for field in dataclasses.fields(LIMITS):
        most = getattr(LIMITS, field.name)
        assert (most <= SERVER * MEGABYTE) == (field.name not in ("vectors", "workbook_unpacked"))
    assert in_megabytes(LIMITS.vectors, SERVER) == SERVER
    assert in_megabytes(LIMITS.vectors, 300) == 200
    assert UploadLimits().of_page >= SERVER * MEGABYTE
    assert LIMITS.text == own_text.LARGEST_BYTES
    assert LIMITS.workbook_unpacked == spreadsheets.LARGEST_UNPACKED
