"""One network for many tasks: what is to be done with a sentence is said in words before it."""

import streamlit as st

from lm_core.experiments.instructions.results import InstructionResults
from lm_core.experiments.instructions.study import ALONE, Cell
from lm_core.experiments.instructions.tasks import (
    FRENCH,
    LAST_FRENCH,
    NONE,
    REGROUPED,
    TASKS,
    TRAINED,
    UNKNOWN,
    instructed,
)
from lm_core.experiments.instructions.tuning import LEARNED, START, TUNED
from lm_core.generation.translation import translate
from lm_core.text.translation_vocabulary import normalised, shipped_vocabulary
from pages.assistant.instructions_chart import (
    KINDS,
    instruction_dots,
    score_of,
    scores_by_task,
    title_of,
)
from pages.shared import page
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import choose_sentence, translator
from pages.shared.numbers import percent
from pages.shared.ui.lesson import provenance
from pages.shared.ui.markdown import escaped

OWN, OWN_INSTRUCTION = "own", "say the first word in French"
_TITLES = {name: task.title for name, task in TASKS.items()} | {OWN: "own instruction"}
_WORDINGS = {
    TRAINED: "trained",
    REGROUPED: "regrouped",
    UNKNOWN: "unknown words",
    NONE: "none",
}
_MOST = 80
_ANSWERS = {"Hardly ever": 0.02, "About 1 in 4": 0.25, "About half": 0.5, "Nearly always": 0.95}


def instructions(screen: page.FirstScreen) -> None:
    """Draw what the network answers to an instruction, and how often each kind of instruction is followed."""
    results = page.shipped(InstructionResults)
    instruction = _choose_instruction(screen)
    asked = _ask(screen, results)
    with screen.picture:
        sentence = choose_sentence("instructed")
        answer = _answered(instruction, sentence, provenance_of(TUNED).weights_sha256)
        said = f"“{escaped(instruction)}”" if instruction else "no instruction"
        st.markdown(f"**To {said} the network answers “{escaped(answer)}”**")
        scores = scores_by_task(results, hidden=LAST_FRENCH if asked.masks else None)
        page.show_chart(
            instruction_dots(scores),
            scores,
            key="instructions",
            alt="; ".join(
                f"{row.task}, {row.instruction}: {row.score:.0f}" for row in scores.itertuples()
            ),
        )
    page.note_beside(
        screen,
        "An *encoder-decoder* of 1.5 million weights reads an instruction and a caption of a photograph, and writes the answer."
        " It could only translate, so it was tuned on eight tasks in four wordings each. **Change the"
        " wording, or type an instruction of your own.**",
    )
    if not page.is_presenting():
        _explain(results, is_masked=asked.masks)


def _choose_instruction(screen: page.FirstScreen) -> str:
    """Draw the choice of task and wording, or a field for an instruction, and return the words."""
    with screen.controls:
        task = page.choice("instructed_task", "Task", _TITLES, "first", width=170)
        if task == OWN:
            typed = page.text(
                "own_instruction", "Your instruction", OWN_INSTRUCTION, max_chars=_MOST, width=260
            )
            page.say_limits({"own_instruction": _MOST})
            return page.read_or_keep("own_instruction", typed, _checked, OWN_INSTRUCTION)
        wording = page.choice("wording", "Wording", _WORDINGS, width=150)
    known = TASKS[task].instruction(wording)
    return TASKS[task].regrouped if known is None else known


def _checked(typed: str) -> str:
    return normalised(page.checked_text(typed, most=_MOST, name="an instruction")).rstrip(": ")


@st.cache_data(max_entries=512, show_spinner=False)
def _answered(instruction: str, sentence: str, weights_sha256: str) -> str:
    model = translator(TUNED)
    with page.model_calls:
        return translate(model, shipped_vocabulary(), instructed(instruction, sentence)).text


def _ask(screen: page.FirstScreen, results: InstructionResults) -> page.Asked:
    found = results.held_out
    return page.ask(
        screen,
        "combination",
        "It has learned *the last word*, *the first word in French* and to translate, but never *the last word in"
        " French*. How often is its answer to that right?",
        _ANSWERS,
        right=found.right,
        reason=f"**{percent(found.right)}**, where the last word of its own translation is right in"
        f" {percent(found.own_last)}. So it often puts together what it has learned apart, because *last word* and"
        f" *in French* each occurred among other words. In {percent(found.english_last)} it gives the last word in"
        " English, and so leaves one half of the instruction out.",
    )


def _explain(results: InstructionResults, *, is_masked: bool) -> None:
    made = results.provenance
    tuning = made["tuning"]
    st.markdown(
        "This is *instruction tuning* in small. T5 names the task in words before the text, so that one"
        " network serves many tasks; FLAN tunes it on very many instructions, so that it follows new ones, too."
        f" Ours has {len(LEARNED)} tasks and knows no words but those of captions and of its own"
        " instructions. So a new order of known words is followed as well as a trained one, while unknown words"
        " mostly fail, because nothing has taught the network that *the end only* means *the last word*. T5 has"
        " read very many texts before its tuning, and so knows such words."
    )
    st.markdown(_one_or_all(results))
    hidden = {LAST_FRENCH} if is_masked else set()
    page.show_rows(
        ("task", *KINDS, "before tuning", "always the commonest"),
        [
            (
                title_of(name),
                *(_written(results, name, *kind) for kind in KINDS.values()),
                _written(results, name, START, REGROUPED if task.is_held_out else TRAINED),
                "–" if task.is_sentence else percent(results.commonest[name]),
            )
            for name, task in TASKS.items()
            if name not in hidden
        ],
        sideways="instruction_rows",
    )
    st.caption(
        f"Measured {made['date'][:10]} on {made['captions']} captions that no training had, the same ones for"
        f" each number. A right answer has the same words, whether in small or in capital letters. All tasks"
        f" together: {tuning['steps']:,} steps of {tuning['batch']} captions; one task alone: an eighth of the"
        " steps, so about as many captions of that task. BLEU compares a translation with a person's, and"
        " reaches 100 where both are the same. The last column is what one gets with one and the same answer to"
        " every caption, the most frequent one."
    )
    provenance(provenance_of(TUNED))


def _one_or_all(results: InstructionResults) -> str:
    """Say what the other tasks do for one of them, and to translating."""

    def written(task: str) -> tuple[str, str]:
        return _written(results, task, TUNED, TRAINED), _written(results, task, ALONE, TRAINED)

    (last, last_alone), (french, french_alone) = written("last"), written(FRENCH)
    return (
        f"With about as many captions of the task alone it gets {last_alone} of the last words right, among all"
        f" tasks {last}, probably because copying a word is practised in several of them. Translating, which it knew, is"
        f" better alone ({french_alone} BLEU, {french} among all), probably because the tasks share the same weights."
    )


def _written(results: InstructionResults, task: str, model: str, condition: str) -> str:
    cell: Cell | None = results.of(model, task, condition)
    if cell is None:
        return "–"
    return f"{score_of(cell):.1f}" if cell.bleu is not None else percent(cell.right)
