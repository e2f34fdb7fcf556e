"""Accuracy by number of examples in the prompt: the writer, the tuned one, and controls."""

import streamlit as st

from lm_core.experiments import published
from lm_core.experiments.assistant.results import AssistantResults
from lm_core.experiments.assistant.study import CHANCE, LEARNED, Cell
from lm_core.experiments.assistant.tasks import CANDIDATES, COPY, PLURAL, SHORT, SHOTS, TASKS
from lm_core.experiments.assistant.tuning import TUNED, WRITER
from pages.assistant.accuracy_by_examples import draw_accuracy
from pages.assistant.examples_choice import Asked, choose_task
from pages.shared import page
from pages.shared.models.book_models import BEST_WRITER
from pages.shared.numbers import percent

_ANSWERS = {"About 1 in 8: chance": CHANCE, "About 3 in 10": 0.3, "Nearly always": 0.95}


def examples(screen: page.FirstScreen) -> None:
    """Draw how often each model finds the answer, by the number of examples before the question."""
    asked = choose_task(screen)
    results = page.shipped(AssistantResults)
    question = _ask(screen, results, asked)
    with screen.picture:
        st.markdown(f"**{_finding(results, asked, question)}**")
        draw_accuracy(results, asked, question)
    page.note_beside(
        screen,
        "A *prompt* is the text that a model continues; *few-shot prompting* puts solved examples"
        " before the question, so that the model can tell which task is meant. The model chooses"
        f" among {CANDIDATES} answers. **Change the task.**",
    )
    if not page.is_presenting():
        _explain(results, asked, is_masked=question.masks)


def _last(cells: list[Cell]) -> float:
    return cells[-1].accuracy


def _ask(screen: page.FirstScreen, results: AssistantResults, asked: Asked) -> page.Asked:
    if not asked.is_first:
        return page.Asked()
    writer, tuned = (results.of(name, asked.task)[-1] for name in (WRITER, TUNED))
    known = results.of(TUNED, asked.task, SHORT, LEARNED)[-1]
    return page.ask(
        screen,
        "shots",
        f"The untuned model has only read the book. After {SHOTS[-1]} examples, how often does it choose"
        " the plural?",
        _ANSWERS,
        right=writer.accuracy,
        reason=f"**{percent(writer.accuracy)}**, chance is {percent(CHANCE, 1)}. It has learned to"
        " continue a novel, so a list of examples is no task to it. After tuning on such lists"
        f" the same network chooses {percent(tuned.accuracy)} right, and"
        f" {percent(known.accuracy)} of words from its tuning.",
    )


def _finding(results: AssistantResults, asked: Asked, question: page.Asked) -> str:
    tuned = results.of(TUNED, asked.task, asked.style)
    title = TASKS[asked.task].title
    if question.masks:
        return (
            f"{title}: the tuned model is right in {percent(tuned[0].accuracy)} without an example, in"
            f" {percent(_last(tuned))} with {SHOTS[-1]}. And before its tuning?"
        )
    writer = results.of(WRITER, asked.task, asked.style)
    return (
        f"{title}: with {SHOTS[-1]} examples the untuned model is right in {percent(_last(writer))}, the"
        f" tuned one in {percent(_last(tuned))}"
    )


def _explain(results: AssistantResults, asked: Asked, *, is_masked: bool) -> None:
    tuned = results.of(TUNED, asked.task, asked.style)
    known = results.of(TUNED, asked.task, asked.style, LEARNED)
    said = (
        f"the tuned model gets {percent(tuned[0].accuracy)} right without an example and"
        f" {percent(tuned[-1].accuracy)} with {tuned[-1].shots}"
    )
    parts = [
        f"This is *in-context learning*: {said}, although nothing in the network changes. With wrong"
        " answers in the examples it does about as well, so what they tell it is mostly which of the"
        " four tasks is meant."
        if tuned[-1].accuracy - tuned[0].accuracy > tuned[-1].standard_error
        else f"Examples do not help here: {said}. The tuned model is helped by them only with the plural"
        " in the short form, because they tell which of the four tasks is meant. To repeat is what it mostly"
        " does without them, too, and opposites and French of new words it hardly knows."
    ]
    if known:
        learned = (
            "Tuning teaches the form of an answer and only a part of the rule, probably because many of the"
            " words can be learned by heart"
            if asked.task in (COPY, PLURAL)
            else "Tuning teaches the form of an answer and hardly the facts, because these cannot be derived"
        )
        parts.append(
            f"{learned}: of words that it was tuned on {percent(known[-1].accuracy)} are right, of"
            f" others {percent(tuned[-1].accuracy)}."
        )
    before, after = (results.losses[name] for name in (WRITER, TUNED))
    parts.append(
        "It also forgets: on pages of the book that neither has seen, the loss rises from"
        f" {before:.2f} to {after:.2f} nats a character, because the same weights serve the book"
        " and the tasks."
    )
    if (read := results.of(BEST_WRITER, asked.task, asked.style)) and not is_masked:
        parts.append(
            f"The untuned transformer that has read 33 books gets {percent(read[0].accuracy)} right"
            f" without an example and {percent(_last(read))} with {read[-1].shots}. We tuned the model"
            " that has read *War and Peace* alone, because a step of that tuning takes 0.37 s of one core and"
            " would take 1.15 s with the larger network that has read 33 books."
        )
    st.markdown(" ".join(parts))
    made = results.provenance
    recipe = made["tuning"]
    st.caption(
        f"Measured {made['date'][:10]}: {made['trials']} questions for each point, with bands of one standard"
        " error. All lines answer the same questions, of words that were not in the tuning"
        f" ({recipe['steps']} steps of {recipe['batch']} prompts, {results.provenance['device']}); only *seen"
        " words* has questions of its own, of words that were. For"
        " comparison, GPT-3 with 175 billion parameters translates English to French with 25.2 BLEU"
        " without an example and 32.6 with up to 64 (Brown et al. 2020, table 3.4)."
    )
    _from_gpt_to_gpt_4()


def _from_gpt_to_gpt_4() -> None:
    with st.expander("From GPT to GPT-4"):
        st.markdown(
            "Learning from examples in a prompt, without a step of training, is called *in-context learning*."
            " All four models predict the next token; what changed is how large they are, what they read, and"
            " how they come to a task. With GPT each task needed a training of its own, because a layer"
            " for its answers was put on top; GPT-2 was only prompted; with GPT-3 examples in the prompt became"
            " the method, as the title of its paper says."
        )
        columns = ("parameters", "context", "read", "how", "document")
        st.dataframe(
            {"model": [m.title for m in published.GPT_MODELS]}
            | {name: [getattr(m, name) for m in published.GPT_MODELS] for name in columns},
            hide_index=True,
        )
