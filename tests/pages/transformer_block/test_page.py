"""The page of one block, end to end, on a tiny model: what is masked, said, opened and taken out."""

import base64
import math
import zlib

import numpy as np
import pytest
import torch

from lm_core.analysis.residual_stream import Removed, Stage, logit_lens, stages, streams, trace
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training import checkpoints
from lm_core.training.checkpoints import save_checkpoint
from pages.shared.components.stage_columns import checked_choice, packed
from pages.shared.models import read_sentences
from pages.transformer_block import taken_out
from pages.transformer_block.stages import STAGES, line_of
from tests.pages.visits import data, guess, sent_to, text, visit
from tests.small_checkpoints import meta_of

FOX = "a quick brown fox"
CONFIG = TransformerLanguageModelConfig(len(SOURCE), 16, 4, 2, context=256)
PICTURE, SAY, WHO, OUT = "Picture", "What it would say", "Who says it", "Take a part out"


@pytest.fixture(scope="module")
def model():
    model = TransformerLanguageModel(CONFIG)
    model.initialise(generator(4))
    with torch.no_grad():
        for weight in model.parameters():
            weight *= 2.0
    return model.eval()


@pytest.fixture(autouse=True)
def shipped(model, tmp_path, monkeypatch):
    save_checkpoint(tmp_path / "shipped", model, meta_of(CONFIG, name=read_sentences.MODEL))
    for module in (read_sentences, checkpoints):
        monkeypatch.setattr(module, "SHIPPED", tmp_path / "shipped")


def arrive(part=PICTURE, **asked):
    app = visit("pages/transformer_block/page.py", part=part, **{"sentence": FOX, **asked})
    assert not app.exception
    assert not app.error
    return app


def sent(app, field):
    """Return what the component that gets this field was sent."""
    found = sent_to(app)
    return next(data for data in found if isinstance(data, dict) and field in data)


def ids():
    return torch.from_numpy(SOURCE.encode(FOX))


# The picture ----------------------------------------------------------------------------------


def test_one_block_has_all_its_columns_and_the_others_one():
    columns = sent(arrive(stage="3"), "columns")["columns"]
    assert [column["name"] for column in columns] == [
        *("token", "stream", "norm", "heads", "attention", "add"),
        *("norm", "widen", "GELU", "narrow", "add", "block 2", "norm", "logits"),
    ]
    assert [column["name"] for column in columns if column["is_open"]] == ["heads"]
    assert [column["name"] for column in columns if column["is_stream"]] == [
        *("stream", "add", "add", "block 2")
    ]


def test_the_heads_mix_what_the_model_weighs(model):
    shown = sent(arrive(stage="3", token="05 k"), "columns")
    weights = trace(model, ids()).weights[0]
    assert shown["mixed"] == pytest.approx(weights[:, shown["token"]].mean(0).tolist(), abs=1e-5)


def test_no_column_says_the_answer_before_the_guess():
    app = arrive()
    assert not any(column["said"] for column in sent(app, "columns")["columns"])
    app = arrive(reveal="first_block")
    assert all(c["said"] for c in sent(app, "columns")["columns"] if c["name"] == "block 1")


def test_a_click_opens_a_column_or_chooses_a_token():
    assert checked_choice(["column", 3], {0, 3}, 5) == ("column", 3)
    assert checked_choice(["token", 4], {0, 3}, 5) == ("token", 4)
    for told in (["column", 1], ["token", 5], ["token", -1], ["row", 0]):
        with pytest.raises(ValueError, match="no column or token"):
            checked_choice(told, {0, 3}, 5)


def test_a_column_travels_as_shares_of_its_largest_number():
    sent_bytes = packed([np.array([[1.0, -2.0], [0.0, 0.5]]), np.array([[0.0]])])
    shares = np.frombuffer(zlib.decompress(base64.b64decode(sent_bytes)), np.int8)
    assert shares.tolist() == [64, -127, 0, 32, 0]


def test_each_stage_opens_to_its_shape_its_line_and_its_number(model):
    found = trace(model, ids())
    for number, stage in enumerate(stages(CONFIG)):
        app = arrive(stage=str(number))
        shape = " × ".join(map(str, found[stage].shape))
        assert shape in text(app)
        assert f"line {line_of(stage.name)[0]}:" in text(app)
        values = found[stage][-1].flatten()
        largest = values.max() if stage.name == "logits" else values[values.abs().argmax()]
        assert f"{float(largest):.2f}" in app.latex[0].value


def test_every_stage_is_one_line_of_the_readable_code():
    lines = {name: line_of(name) for name in STAGES}
    assert all(STAGES[name].code in line for name, (_, line) in lines.items())
    in_block = [lines[name][0] for name in ("attention_norm", "widened", "narrowed")]
    assert in_block == sorted(in_block)
    assert set(trace(TransformerLanguageModel(CONFIG), ids()).values) == set(stages(CONFIG))


# What it would say, and who says it -----------------------------------------------------------


def test_the_lens_shows_what_the_stream_would_say(model):
    app = arrive(SAY, reveal="first_block")
    grid = sent(app, "stacks")["stacks"][0][0]
    lens = logit_lens(model, trace(model, ids()), len(FOX) - 1).softmax(-1)
    expected = lens.topk(5).values.flatten().tolist()
    assert grid["values"] == pytest.approx(expected, abs=1e-3)
    assert grid["rows"] == len(streams(CONFIG)) == 5


def test_only_the_last_row_is_shown_before_the_guess():
    grid = sent(arrive(SAY), "stacks")["stacks"][0][0]
    assert grid["values"][:20] == [None] * 20
    assert None not in grid["values"][20:]
    assert not grid["is_picked"]


def test_the_block_that_is_right_is_the_first_whose_best_token_is_the_answer(model):
    app = arrive(SAY)
    app = guess(app, "first_block", 0)
    lens = logit_lens(model, trace(model, ids()), len(FOX) - 1)
    best = lens.argmax(-1).tolist()
    first = next(i for i in (1, 2) if best[2 * i] == best[-1])
    assert f"After block {first}." in text(app)


def test_the_shares_add_up_to_the_logit(model):
    app = arrive(WHO, reveal="largest_part")
    shares = data(app, "shares")
    logits = trace(model, ids()).logits[-1]
    assert sum(shares["value"]) == pytest.approx(float(logits.max()), abs=1e-3)


def test_any_token_is_followed_that_is_one(model):
    app = arrive(SAY, reveal="first_block", follow_typed="z")
    token = SOURCE.encode("z")[0]
    lens = logit_lens(model, trace(model, ids()), len(FOX) - 1).softmax(-1)
    table = data(app, "followed_token")
    assert table["z"].tolist() == pytest.approx(lens[:, token].tolist(), abs=1e-5)
    ranks = (lens > lens[:, token, None]).sum(-1) + 1
    assert table["rank"].tolist() == ranks.tolist()
    app = visit("pages/transformer_block/page.py", part=SAY, sentence=FOX, follow_typed="zebra")
    (error,) = [e.value for e in app.error]
    assert "one token" in error
    assert "z \\| e \\| b" in error


def test_the_numbers_under_a_picture_are_those_of_the_model_and_wait_for_the_guess(model):
    found = trace(model, ids())
    # The heads: how long the vector is that each has mixed.
    table = data(arrive(stage="3"), "stage")
    lengths = found[Stage("heads", 0)].norm(dim=-1)
    assert table.filter(like="head").to_numpy() == pytest.approx(lengths.numpy(), abs=1e-4)
    table = data(arrive(stage="2"), "stage")
    units = [int(name.split()[1]) - 1 for name in table.columns[1:]]
    expected = found[Stage("attention_norm", 0)][:, units]
    assert table.iloc[:, 1:].to_numpy() == pytest.approx(expected.numpy(), abs=1e-4)
    assert set(data(arrive(SAY), "lens")["after"]) == {"2 feed-forward"}
    table = data(arrive(SAY, reveal="first_block"), "lens")
    lens = logit_lens(model, found, len(FOX) - 1).softmax(-1).topk(5).values.flatten()
    assert table["probability"].tolist() == pytest.approx(lens.tolist(), abs=1e-5)


# A part taken out -----------------------------------------------------------------------------


def test_the_losses_are_those_of_the_model_without_the_part(model):
    table = data(arrive(OUT, reveal="taken_out"), "taken_bars")
    losses = dict(zip(table["part"], table["value"], strict=True))
    for name, part in {
        "attention": "attention",
        "norm": "norm",
        "residual path": "residual",
    }.items():
        expected = float(trace(model, ids(), without=[Removed(part)]).losses.mean())
        assert losses[name] == pytest.approx(expected, rel=1e-4)
    assert losses["nothing"] == pytest.approx(float(trace(model, ids()).losses.mean()), rel=1e-4)


def test_no_loss_without_a_part_stands_there_before_the_guess():
    values = data(arrive(OUT), "taken_bars")["value"]
    assert [value is None or math.isnan(value) for value in values] == [True] * 5 + [False]


@pytest.mark.parametrize(("block", "is_of_all"), [("every block", True), ("block 2", False)])
def test_why_a_part_is_missed_is_said_of_the_blocks_that_miss_it(monkeypatch, block, is_of_all):
    found = taken_out.consequence

    def residual_is_worst(sentence, out):
        loss = 9.0 if out and out[0].part == "residual" else 1.0
        return found(sentence, out)._replace(loss=loss)

    monkeypatch.setattr(taken_out, "consequence", residual_is_worst)
    said = text(arrive(OUT, reveal="taken_out", of_block=block))
    assert ("the first block already" in said) is is_of_all
    assert ("what all blocks before it have made" in said) is not is_of_all


def test_the_norm_before_and_after_are_read_from_the_results():
    app = arrive(OUT, reveal="taken_out")
    assert "Here the norm **after** wins." in text(app)


def test_all_stages_of_a_model_with_added_positions_have_a_name():
    config = TransformerLanguageModelConfig(len(SOURCE), 16, 4, 2, context=256, position="learned")
    found = trace(TransformerLanguageModel(config), ids())
    assert list(found.values) == list(stages(config))
    assert Stage("positions") in found.values


def test_what_is_left_out_of_a_sentence_is_said_in_one_line_and_a_plain_one_has_none():
    app = visit("pages/transformer_block/page.py", part=SAY, sentence=f"{FOX}\N{SNOWMAN}")
    assert f"Read as “{FOX}”, 17 characters. 1 character is not in the vocabulary" in text(app)
    app.text_input(key="sentence").set_value(FOX).run()
    assert "Read as" not in text(app)
