import hashlib
import json
import shutil

import pytest
import safetensors.torch
import torch

from lm_core.errors import CheckpointError, SettingError
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build, config_from_dict, config_to_dict
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training import checkpoints
from tests.small_checkpoints import meta_of

CONFIG = LSTMLanguageModelConfig(vocabulary_size=9, embedding_size=4, hidden_size=6, layers=2)


def make_model(seed=0):
    model = build(CONFIG)
    model.initialise(generator(seed))
    return model.eval()


def make_meta(**changes):
    return meta_of(CONFIG, **changes)


def logits_of(model):
    tokens = torch.arange(9)[None]
    with torch.inference_mode():
        return model(tokens, model.initial_state(1))[0]


@pytest.mark.parametrize(
    ("storage", "tolerance"), [("float32", 0.0), ("float16", 2e-3), ("int8_rows", 2e-2)]
)
def test_a_loaded_model_predicts_what_the_saved_one_did(tmp_path, storage, tolerance):
    model = make_model()
    folder = checkpoints.save_checkpoint(tmp_path, model, make_meta(storage=storage))
    loaded = checkpoints.load_checkpoint(folder)
    torch.testing.assert_close(logits_of(loaded.model), logits_of(model), atol=tolerance, rtol=0.0)
    assert not loaded.model.training
    assert loaded.meta.storage == storage


@pytest.mark.parametrize("query_key_norm", [False, True])
def test_the_norm_of_queries_and_keys_is_part_of_the_config(tmp_path, query_key_norm):
    config = TransformerLanguageModelConfig(9, 8, 2, 1, query_key_norm=query_key_norm)
    model = build(config)
    model.initialise(generator(0))
    for name, weight in model.named_parameters():
        if "key_norm" in name:
            torch.nn.init.constant_(weight, 1.5)
    folder = checkpoints.save_checkpoint(tmp_path, model, make_meta(config=config_to_dict(config)))
    loaded = checkpoints.load_checkpoint(folder)
    assert loaded.model.config == config
    torch.testing.assert_close(logits_of(loaded.model), logits_of(model), atol=0.0, rtol=0.0)
    assert any("norm.weight" in n and "attention." in n for n in model.state_dict()) is (
        query_key_norm
    )


def test_a_transformer_from_before_the_norm_of_queries_and_keys_has_none():
    older = config_to_dict(TransformerLanguageModelConfig(9, 8, 2, 1))
    del older["query_key_norm"]
    assert config_from_dict(older).query_key_norm is False


def test_smaller_storage_is_smaller(tmp_path):
    model = build(LSTMLanguageModelConfig(9, 64, 64, 1))
    sizes = []
    for storage in ("float32", "float16", "int8_rows"):
        meta = make_meta(config=config_to_dict(model.config), storage=storage)
        folder = checkpoints.save_checkpoint(tmp_path, model, meta)
        sizes.append((folder / "model.safetensors").stat().st_size)
    assert sizes[0] > 1.7 * sizes[1] > 1.7 * 1.5 * sizes[2]


def test_saving_again_replaces_the_older_checkpoint_and_leaves_nothing_else(tmp_path):
    checkpoints.save_checkpoint(tmp_path, make_model(0), make_meta(steps=1))
    checkpoints.save_checkpoint(tmp_path, make_model(1), make_meta(steps=2))
    assert [meta.steps for meta in checkpoints.list_checkpoints(tmp_path)] == [2]
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]
    torch.testing.assert_close(
        logits_of(checkpoints.load_checkpoint(tmp_path / "tiny").model), logits_of(make_model(1))
    )


@pytest.mark.parametrize("failing", ["_write_durably", "_replace_folder"])
def test_a_full_disk_leaves_the_older_checkpoint_intact(tmp_path, monkeypatch, failing):
    checkpoints.save_checkpoint(tmp_path, make_model(0), make_meta(steps=1))

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkpoints, failing, fail)
    with pytest.raises(CheckpointError, match=r"No space left.*untouched"):
        checkpoints.save_checkpoint(tmp_path, make_model(1), make_meta(steps=2))
    assert checkpoints.load_checkpoint(tmp_path / "tiny").meta.steps == 1
    assert [path.name for path in tmp_path.iterdir()] == ["tiny"]


def damage_weights(folder):
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


def truncate_weights(folder):
    path = folder / "model.safetensors"
    path.write_bytes(path.read_bytes()[:-5])


def drop_a_tensor(folder):
    path = folder / "model.safetensors"
    weights = safetensors.torch.load(path.read_bytes())
    del weights["output.bias"]
    path.write_bytes(safetensors.torch.save(weights))
    change_meta(weights_sha256=hashlib.sha256(path.read_bytes()).hexdigest())(folder)


def change_meta(**changes):
    """Return how to change fields of a file from before there was a hash of them all."""

    def change(folder):
        path = folder / "meta.json"
        record = json.loads(path.read_text())
        del record["sha256"]
        path.write_text(json.dumps(record | changes))

    return change


def change_meta_alone(folder):
    path = folder / "meta.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"seed": 2}))


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (damage_weights, "altered or cut off"),
        (truncate_weights, "altered or cut off"),
        (lambda folder: (folder / "model.safetensors").unlink(), "no readable model.safetensors"),
        (lambda folder: (folder / "meta.json").write_text("{"), "no readable meta.json"),
        (
            lambda folder: (folder / "meta.json").write_text("[]"),
            "schema 'list'; this version reads 1",
        ),
        (drop_a_tensor, r"(?s)do not fit.*output\.bias"),
        (change_meta_alone, "altered by hand"),
        (change_meta(schema=7), "schema 7; this version reads 1"),
        (change_meta(colour="red"), r"unknown fields \['colour'\]"),
        (change_meta(config=config_to_dict(LSTMLanguageModelConfig(9, 4, 7, 2))), "do not fit"),
        (change_meta(config={"family": "Oracle"}), "family must be one of"),
        (change_meta(config=config_to_dict(CONFIG) | {"depth": 3}), "fields of LSTM"),
    ],
)
def test_a_harmed_checkpoint_is_refused_with_the_reason(tmp_path, harm, message):
    folder = checkpoints.save_checkpoint(tmp_path, make_model(), make_meta())
    harm(folder)
    with pytest.raises(CheckpointError, match=message):
        checkpoints.load_checkpoint(folder)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "../tiny"),
        ("name", None),
        ("title", ""),
        ("title", ["Tiny"]),
        ("config", "LSTM"),
        ("config", {"family": []}),
        ("config", config_to_dict(CONFIG) | {"layers": "2"}),
        ("config", config_to_dict(CONFIG) | {"layers": 2.5}),
        ("config", config_to_dict(CONFIG) | {"layers": -1}),
        ("vocabulary", 7),
        ("corpus", {}),
        ("seed", "1"),
        ("steps", -2),
        ("steps", True),
        ("characters_seen", 1.5),
        ("seconds", float("nan")),
        ("seconds", "long"),
        ("device", None),
        ("parameter_count", [5]),
        ("date", 2026),
        ("losses", [1.0]),
        ("losses", {"B": "low"}),
        ("scores", {"accuracy": float("inf")}),
        ("recipe", 3),
        ("snapshot_of", 3),
        ("libraries", {"torch": 2}),
        ("characters", 5),
        ("experiment", 5),
    ],
)
def test_a_field_of_another_type_or_range_is_refused_and_the_others_are_listed(
    tmp_path, field, value
):
    checkpoints.save_checkpoint(tmp_path, make_model(), make_meta(name="whole"))
    folder = checkpoints.save_checkpoint(tmp_path, make_model(), make_meta())
    change_meta(**{field: value})(folder)
    with pytest.raises(CheckpointError):
        checkpoints.load_checkpoint(folder)
    assert [meta.name for meta in checkpoints.list_checkpoints(tmp_path)] == ["whole"]
    assert list(checkpoints.damaged_checkpoints(tmp_path)) == ["tiny"]


@pytest.mark.parametrize("name", sorted(path.name for path in checkpoints.SHIPPED.iterdir()))
def test_every_shipped_provenance_is_whole_and_hashed(name):
    folder = checkpoints.SHIPPED / name
    assert checkpoints.read_meta(folder).name == name
    assert "sha256" in json.loads((folder / "meta.json").read_text(encoding="utf-8"))


def test_what_could_not_be_read_again_is_not_written(tmp_path):
    with pytest.raises(SettingError, match="steps"):
        checkpoints.save_checkpoint(tmp_path, make_model(), make_meta(steps=-1))
    assert not any(tmp_path.iterdir())


def test_a_meta_of_another_config_is_refused_before_anything_is_written(tmp_path):
    other = config_to_dict(LSTMLanguageModelConfig(9, 4, 7, 2))
    with pytest.raises(SettingError, match="the model has"):
        checkpoints.save_checkpoint(tmp_path, make_model(), make_meta(config=other))
    assert not any(tmp_path.iterdir())


def test_an_unknown_storage_is_refused(tmp_path):
    with pytest.raises(SettingError, match="storage must be one of"):
        checkpoints.save_checkpoint(tmp_path, make_model(), make_meta(storage="float4"))


def test_what_a_killed_process_left_is_removed_and_what_had_stepped_aside_comes_back(tmp_path):
    saved = checkpoints.save_checkpoint(tmp_path, make_model(), make_meta())
    (tmp_path / ".words-step-14-x7k2").mkdir()
    (tmp_path / ".words-step-14-x7k2" / "model.safetensors").write_bytes(b"half")
    (tmp_path / f".{saved.name}-replaced").mkdir()  # the new one is in its place already
    saved.rename(tmp_path / ".other-replaced")
    saved.mkdir()
    checkpoints.clear_leftovers(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {saved.name, "other"}
    checkpoints.clear_leftovers(tmp_path / "nowhere")


def test_the_list_skips_folders_that_are_still_being_written(tmp_path):
    folder = checkpoints.save_checkpoint(tmp_path, make_model(), make_meta())
    shutil.copytree(folder, tmp_path / ".tiny-half")
    assert [meta.name for meta in checkpoints.list_checkpoints(tmp_path)] == ["tiny"]
    assert checkpoints.list_checkpoints(tmp_path / "absent") == []


def test_models_of_an_experiment_are_not_offered_as_language_models(tmp_path):
    checkpoints.save_checkpoint(tmp_path, make_model(), make_meta())
    checkpoints.save_checkpoint(
        tmp_path, make_model(), make_meta(name="other", experiment="ablations")
    )
    assert [meta.experiment for meta in checkpoints.list_checkpoints(tmp_path)] == [
        "ablations",
        None,
    ]
    assert [meta.name for meta in checkpoints.list_language_models(tmp_path)] == ["tiny"]
    assert "experiment" not in json.loads((tmp_path / "tiny" / "meta.json").read_text())


def test_the_stamp_survives(tmp_path):
    meta = make_meta(losses={"B": 1.5}, recipe={"steps": 2}, snapshot_of="big")
    stored = checkpoints.read_meta(checkpoints.save_checkpoint(tmp_path, make_model(), meta))
    assert stored.weights_sha256
    assert stored == checkpoints.CheckpointMeta(
        **vars(meta) | {"weights_sha256": stored.weights_sha256}
    )


def test_losses_are_added_to_the_stamp_and_nothing_else_changes(tmp_path):
    folder = checkpoints.save_checkpoint(
        tmp_path, make_model(), make_meta(losses={"validation": 2.0})
    )
    before = checkpoints.read_meta(folder)
    checkpoints.record_losses(folder, {"A": 1.5, "validation": 1.75})
    after = checkpoints.load_checkpoint(folder).meta
    assert after.losses == {"validation": 1.75, "A": 1.5}
    assert vars(after) | {"losses": None} == vars(before) | {"losses": None}


def test_configs_survive_the_way_through_plain_values():
    assert config_from_dict(json.loads(json.dumps(config_to_dict(CONFIG)))) == CONFIG


def test_a_shipped_model_is_loaded_by_name_and_an_unknown_one_refused_with_the_known_ones():
    assert checkpoints.load_shipped("book-ngram").meta.name == "book-ngram"
    with pytest.raises(CheckpointError, match=r"'gpt-9' is not shipped.*book-lstm"):
        checkpoints.load_shipped("gpt-9")


def test_a_stopped_trainings_estimate_is_its_loss_also_under_the_former_name():
    assert make_meta(losses={"B": 1.5, checkpoints.ESTIMATE: 2.5}).loss_of("B") == 1.5
    assert make_meta(losses={checkpoints.ESTIMATE: 2.5}).loss_of("B") == 2.5
    assert make_meta(losses={"quick look": 3.5}).loss_of("B") == 3.5
    assert make_meta(losses={"A": 1.5}).loss_of("B") is None
