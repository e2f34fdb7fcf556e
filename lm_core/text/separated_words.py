"""Whether words are separated, in scripts that write no spaces between them."""

from collections.abc import Sequence

import regex

from lm_core.errors import TextError

_WITHOUT_SPACES = {
    regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]"): 5,
    regex.compile(r"[\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]"): 10,
}
"""Scripts without spaces between words, and how long words are on average at most."""


def require_separated(words: Sequence[str]) -> None:
    """Refuse a text in a script without spaces whose words nobody has separated.

    Raises
    ------
    TextError
        If the words are as long as clauses.
    """
    for script, longest in _WITHOUT_SPACES.items():
        written = [word for word in words if script.search(word)]
        if 2 * len(written) > len(words) and sum(map(len, written)) > longest * len(written):
            raise TextError(
                f"words must be separated by spaces, and this text has “{written[0][:12]}…”: its"
                " language writes none between words, so let a program for that language separate"
                " them first (jieba for Chinese, MeCab for Japanese, PyThaiNLP for Thai)"
            )
