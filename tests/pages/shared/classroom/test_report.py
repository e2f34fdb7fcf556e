"""What a class's report says: every question with its answers, counted, and nobody's name."""

import re

from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import (
    AnswerRow,
    AskedQuestion,
    ClassExperiment,
    FinishedRun,
    SharedOut,
)
from pages.shared.classroom.report import report_html

SAID = {
    "Which learns faster? | RNN | *LSTM": ("LSTM", "RNN", "LSTM"),
    "How many letters? 0..100 = 42": ("40", "44", "90"),
    "Where will it go? x, y 0..10 = 2, 3": ("1, 2", "3, 4"),
    "Which word is <b>nearest</b> = cat": ("<i>Cat.</i>", "cat", "Cat."),
}


def rows():
    return [
        AnswerRow(AskedQuestion(n, parse_question(line), True), f"Otter {place}", value, 3.0)
        for n, (line, values) in enumerate(SAID.items(), 1)
        for place, value in enumerate(values)
    ]


def bars(report, question):
    """Return what the bars below a question say, with their counts."""
    section = report.split("<section>")[question]
    return dict(re.findall(r"<td>([^<]*)</td>.*?<td>(\d+)</td>", section))


def test_each_question_has_its_answers_counted_and_what_holds():
    report = report_html("KRTP", rows())
    assert "3 students gave 11 answers to 4 questions" in report
    assert bars(report, 1) == {"RNN": "1", "LSTM": "2"}
    assert re.search(r"<tr class=right><td>LSTM", report)
    numbers = bars(report, 2)
    assert (numbers["33.3 to 41.7"], numbers["41.7 to 50"], numbers["83.3 to 91.7"]) == ("1",) * 3
    assert sum(map(int, numbers.values())) == 3
    assert "Their median is 44. What holds: 42. 2 of 3 were right." in report
    assert "Their median is 2, 3." in report.split("<section>")[3]
    assert bars(report, 4)["cat"] == "2"


def test_nobody_is_named_and_nothing_that_was_typed_is_markup():
    report = report_html("KRTP", rows())
    assert "Otter" not in report
    assert not re.search(r"<[bi]>", report)
    assert "&lt;b&gt;nearest&lt;/b&gt;" in report


def test_what_was_measured_together_stands_at_the_end():
    shared = SharedOut(1, ClassExperiment("Starts", {"units": "2"}, 30), is_over=True)
    runs = [FinishedRun(n, "Otter", value, False) for n, value in enumerate((0.0, 1.0, 0.5))]
    report = report_html("KRTP", [], (shared, runs))
    assert "Measured together: Starts" in report
    assert "3 of 30 runs: mean 0.5, from 0 to 1" in re.sub(r"(\d\.\d*?)0+\b", r"\1", report)
