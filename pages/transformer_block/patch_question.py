"""Which cell decides: asked before the map of the patches is drawn."""

from lm_core.analysis.patching import PatchMap
from lm_core.analysis.residual_stream import (
    AFTER_ATTENTION,
    AFTER_FEED_FORWARD,
    ATTENTION,
    NARROWED,
    Stage,
)
from pages.shared import page
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code
from pages.transformer_block.prompt_pairs import PromptPair
from pages.transformer_block.stages import stream_name

STREAM = "stream"
CARRIED = {
    STREAM: "residual stream",
    ATTENTION: "what attention adds",
    NARROWED: "what feed-forward adds",
}


def kind_of(stage: Stage) -> str:
    """Return what of a stage is carried over, one of `CARRIED`."""
    return stage.name if stage.name in CARRIED else STREAM


def cell_stage_name(stage: Stage) -> str:
    """Return what a stage is called, the block's number first."""
    added = {ATTENTION: "attention adds", NARROWED: "feed-forward adds"}.get(stage.name)
    return f"{(stage.layer or 0) + 1} {added}" if added else stream_name(stage)


def short_stage_name(stage: Stage) -> str:
    """Return the block's number and, for the stream, after which half it is: 0 is the embedding."""
    if stage.layer is None:
        return "0"
    halves = {AFTER_ATTENTION: "a", AFTER_FEED_FORWARD: "f"}
    return f"{stage.layer + 1}{halves.get(stage.name, '')}"


def _middle(found: PatchMap) -> tuple[int, Stage]:
    """Return the stream after half of the blocks, and its row."""
    blocks = [i for i, s in enumerate(found.stages) if s.name == AFTER_FEED_FORWARD]
    row = blocks[len(blocks) // 2 - 1]
    return row, found.stages[row]


def ask_which_cell(
    screen: page.FirstScreen, pair: PromptPair, found: PatchMap
) -> page.Asked[tuple[int, ...]]:
    """Ask whose cell decides in the middle of the model, where the changed word is not the last one."""
    row, stage = _middle(found)
    last, word = len(pair.b.symbols) - 1, as_code(pair.b.symbols[found.first_different].strip())
    own = f"That of {word}, the changed word"
    answers: dict[str, tuple[int, ...]] = {own: pair.different}
    if between := tuple(i for i in range(found.first_different, last) if i not in pair.different):
        answers["That of a token in between"] = between
    end = f"That of {as_code(pair.b.symbols[last].strip())}, the last token"
    answers[end] = (last,)
    effects = found.effects[row]
    strongest = found.first_different + int(effects[found.first_different :].argmax())
    blocks = (stage.layer or 0) + 1

    def reason(_: str | None) -> str:
        return (
            f"After block {blocks} the cell of {as_code(pair.b.symbols[strongest].strip())} alone brings"
            f" **{percent(float(effects[strongest]))}** of A's answer, that of the last token"
            f" {percent(float(effects[last]))}. {_handed_over(pair, found)}"
        )

    return page.ask(
        screen,
        f"which_cell_{pair.name}",
        f"After {blocks} of {_n_blocks(found)} blocks one cell of A's *residual stream*"
        " is carried into B. Whose cell changes B's answer most?",
        answers,
        right=next(said for said, tokens in answers.items() if strongest in tokens),
        reason=reason,
        when=last not in pair.different,
    )


def _n_blocks(found: PatchMap) -> int:
    return max(stage.layer or 0 for stage in found.stages) + 1


def _handed_over(pair: PromptPair, found: PatchMap) -> str:
    """Say in which block attention takes the difference to the last token."""
    last = len(pair.b.symbols) - 1
    for row, stage in enumerate(found.stages):
        of_others = max(float(found.effects[row, token]) for token in pair.different)
        if kind_of(stage) == STREAM and float(found.effects[row, last]) > of_others:
            return (
                "Only attention can carry it from there to the last token, where the next one is"
                " predicted, because every other part treats each token alone; most has arrived"
                f" after {cell_stage_name(stage)}."
            )
    return ""
