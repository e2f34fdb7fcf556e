"""The question that the page opens with: after which block does the answer stand on top."""

from pages.shared import page
from pages.shared.models.read_sentences import Sentence
from pages.shared.numbers import percent
from pages.transformer_block.said_early import lens_of, spelled


def ask_first_block(screen: page.FirstScreen, sentence: Sentence, position: int) -> page.Asked[int]:
    """Ask after which block the model's answer is first the likeliest token."""
    found, layers = lens_of(sentence, position), sentence.config.layers
    word = spelled(sentence, found.answer)

    def reason(_: str | None) -> str:
        at = found.first_block
        before = found.best[max(2 * at - 2, 0), 0]
        return (
            f"After block {at}. Had it ended before that block, it would have said"
            f" {spelled(sentence, int(before))}. Each block only adds to the stream, so an answer can grow over"
            f" several of them: in the end {word} has {percent(float(found.followed[-1, 0]))}."
        )

    return page.ask(
        screen,
        "first_block",
        f"In the end this model says {word}. After which of its {layers} *blocks* is that first the"
        " likeliest token?",
        {f"Block {i}": i for i in range(1, layers + 1)},
        right=found.first_block,
        reason=reason,
    )
