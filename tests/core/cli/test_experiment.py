import pytest

from lm_core.__main__ import main
from lm_core.cli.experiment import experiments_with_command


def test_every_experiment_with_a_command_lists_its_options(capsys):
    names = experiments_with_command()
    assert {"rnn_vs_lstm", "ablations", "attention_cost", "tokenization"} <= set(names)
    for name in names:
        for spoken in {name, name.replace("_", "-")}:
            with pytest.raises(SystemExit) as ended:
                main(["experiment", spoken, "--help"])
            assert ended.value.code == 0
            assert "options:" in capsys.readouterr().out


def test_an_unknown_experiment_is_refused_with_the_known_ones(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["experiment", "alchemy"])
    assert ended.value.code == 2
    assert "attention-cost" in capsys.readouterr().err
