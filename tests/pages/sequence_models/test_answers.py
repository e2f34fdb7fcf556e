"""What the answers for teachers say, held to the shipped networks."""

from itertools import permutations
from string import ascii_lowercase

import pytest

from lm_core.experiments.sequence_models import curves
from lm_core.experiments.sequence_models.inference import (
    name_vector,
    reverse_word,
    sample_word,
    sample_words,
    share_of_length,
    speech_probabilities,
    word_of,
)
from lm_core.experiments.toy_tasks.results import MODELS, ToyResults, key_of
from lm_core.experiments.toy_tasks.tasks import LETTERS
from lm_core.experiments.toy_tasks.training import answer_all
from lm_core.rng import generator
from lm_core.text.symbols import read_sentence
from lm_core.training.checkpoints import SHIPPED, load_checkpoint
from pages.sequence_models.curves import first_known
from tests.pages.answering import assert_says

PAGE = "sequence-models"
NOT_COMPUTED = {
    "A network with a softmax": "what a deviation of 0 would do follows from the normal distribution",
}
PLAIN = "the old man walked slowly along the dusty road to the village and the sun was setting"


@pytest.fixture(scope="module")
def is_reversed():
    model, meta = load_checkpoint(SHIPPED / "word-reverser")
    return lambda word: word_of(reverse_word(model, word)) == word[::-1], model, meta


def test_words_of_eight_letters_or_fewer_come_back(is_reversed):
    rightly = is_reversed[0]
    assert [rightly("petersburg"[:n]) for n in range(10, 3, -1)] == [False] * 2 + [True] * 5


def test_a_row_of_one_letter_is_hard_and_two_in_turn_are_not(is_reversed):
    rightly, model, _ = is_reversed
    assert word_of(reverse_word(model, 8 * "a")) == 7 * "a"
    assert rightly("abababab")
    rows = [letter for letter in ascii_lowercase if rightly(8 * letter)]
    in_turn = [rightly(4 * (a + b)) for a, b in permutations(ascii_lowercase, 2)]
    said = f"{len(rows)} of 26", f"{100 * sum(in_turn) / len(in_turn):.0f} %"
    assert_says(PAGE, "Try *aaaaaaaa*", *said, *(f"*{letter}*" for letter in rows))


def test_shares_of_longer_names(is_reversed):
    scores = is_reversed[2].scores
    shares = [scores[f"whole words, {n} letters"] for n in (9, 10, 11)]
    assert shares == pytest.approx([3 / 5, 1 / 4, 0], abs=0.03)


@pytest.fixture(scope="module")
def spoken():
    """The probability of speech after each character, by classifier."""
    models = {n: load_checkpoint(SHIPPED / f"speech-{n}")[0] for n in ("last", "mean", "both")}
    return lambda sentence: {
        name: speech_probabilities(model, read_sentence(sentence)) for name, model in models.items()
    }


def percent(share):
    return f"{100 * share:.0f}%"


def test_i_decides_at_once_and_she_does_not(spoken):
    assert all(min(p[3:]) > 0.7 for p in spoken("I looked at him and smiled").values())
    she = spoken("she looked at him and smiled").values()
    undecided = [value for p in she for value in p[:9]]
    assert_says(PAGE, "Begin your", percent(min(undecided)), percent(max(undecided)))
    assert all(p[-1] < 0.1 for p in she)


def test_plain_words_outvote_one_of_speech_in_the_mean(spoken):
    assert all(p[-1] > 0.9 for p in spoken("my dear").values())
    ends = {name: percent(p[-1]) for name, p in spoken(f"my dear {PLAIN}").items()}
    come_here = spoken("come here the old man walked slowly along the dusty road to the village")
    assert_says(PAGE, "Begin with a", *ends.values(), percent(come_here["last"][-1]))


def test_the_order_of_words_rarely_decides(spoken):
    for ordered, other in (
        ("I know what you want", "you want what know I"),
        ("she looked at him and smiled", "smiled and him at looked she"),
    ):
        before, after = spoken(ordered), spoken(other)
        assert all(before[n][-1] == pytest.approx(after[n][-1], abs=0.02) for n in before)
    torn = "come here my dear boy and sit down", "dear sit down and come here boy my"
    assert_says(PAGE, "Write the same", *torn)
    before, after = ([p[-1] for p in spoken(words).values()] for words in torn)
    assert min(before) > 0.9
    assert max(after) < 0.4


@pytest.fixture(scope="module")
def names():
    model, _ = load_checkpoint(SHIPPED / "name-generator")
    return model


def test_where_the_word_changes_with_the_same_seed(names):
    words = [
        word_of(sample_word(names, name_vector(x / 20, 7), temperature=0.7, rng=generator(1)))
        for x in range(21)
    ]
    changes = [x for x in range(1, 21) if words[x] != words[x - 1]]
    assert_says(PAGE, "Move the", words[-1], words[0], f"{changes[0] / 20:g}")
    assert len(changes) == 1
    assert words[0][0] == words[-1][0]
    assert words[0][1] != words[-1][1]


def drawn(names, letters, temperature):
    vector = name_vector(1.0, letters)
    return sample_words(names, vector, 200, temperature=temperature, rng=generator(1))


def test_how_much_randomness_is_left(names):
    cold, warm = drawn(names, 7, 0.1), drawn(names, 7, 0.7)
    most = max(set(cold), key=cold.count)
    kinds = [str(len(set(words))) for words in (cold, warm, drawn(names, 12, 0.1))]
    assert_says(PAGE, "Lower the", most, str(cold.count(most)), *kinds)
    for letters, of_names in ((7, "on average in names of 7 letters"), (12, "in those of 12")):
        highest = [
            max(step.probabilities)
            for seed in range(1, 41)
            for step in sample_word(
                names, name_vector(1.0, letters), temperature=0.1, rng=generator(seed)
            )
        ]
        assert_says(PAGE, "Lower the", f"{100 * sum(highest) / len(highest):.0f} % {of_names}")


def test_how_well_letters_are_counted(names):
    right = [200 * share_of_length(drawn(names, letters, 0.7), letters) for letters in (7, 12, 3)]
    assert_says(PAGE, "Ask for 12", *(f"{n:.0f}" for n in right))


# Vector to curve ------------------------------------------------------------------------------


def curves_drawn(period, seed=2):
    network = curves.CurveResults.load().network()
    return network.draw(curves.vector_of(period, 1.5), 50, generator(seed))


def test_long_and_short_periods_are_known_after_three_values():
    long, short = (curves_drawn(period).deviations.mean(0).tolist() for period in (24.0, 8.0))
    assert first_known(long) == first_known(short) == 3
    assert_says(PAGE, "Ask for a period", "three values", f"{long[1]:.2f}", f"{short[1]:.2f}")
    assert_says(PAGE, "Ask for a period", f"{long[3]:.2f}")
    assert f"{long[3]:.2f}" == f"{short[3]:.2f}"


def test_curves_of_one_vector_begin_anywhere_and_keep_its_height():
    values = curves_drawn(12.0).values
    assert values[:, 0].std() > 0.5
    assert values[:, 10:].abs().amax(1).tolist() == pytest.approx([1.5] * 50, abs=0.4)


# Own task -------------------------------------------------------------------------------------


def answers_of(task, given):
    models = ToyResults.load().models
    return [answer_all(models[key_of(task, model)], [given])[0] for model in MODELS]


def test_a_word_of_eight_letters_is_reversed_from_its_end_and_too_short():
    answers = answers_of("reverse", "abcdefgh")
    assert_says(PAGE, "Choose *Reverse*", *answers, "hgfedcba")
    assert all(answer.startswith("hgfed") and len(answer) < 8 for answer in answers)


def test_attention_loses_one_of_equal_letters():
    one_vector, attention = answers_of("copy", 7 * "a")
    assert one_vector == 7 * "a"
    assert_says(PAGE, "Choose *Copy*", attention)
    assert attention == 6 * "a"
    whole = [
        [letter for letter in LETTERS if answers_of("copy", 7 * letter)[model] == 7 * letter]
        for model in range(2)
    ]
    assert whole == [["a", "b"], ["c"]]


def test_eleven_open_brackets_are_miscounted():
    assert answers_of("brackets", 8 * "(") == [8 * ")"] * 2
    lengths = [[len(answer) for answer in answers_of("brackets", n * "(")] for n in (10, 11)]
    assert lengths == [[9, 11], [10, 14]]
    assert_says(PAGE, "Choose *Brackets*", "closes ten", "attention fourteen", "eight rightly")


def test_one_sign_turns_the_parity_round_and_both_models_know():
    for given, parity in (("1011001", "0"), ("1011000", "1")):
        assert_says(PAGE, "Choose *Parity*", given, parity)
        assert answers_of("parity", given) == [parity, parity]
    found = ToyResults.load()
    assert all(found.by_length("parity", model)[20][0] > 0.95 for model in MODELS)
