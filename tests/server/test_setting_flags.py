"""The flags of the command that set settings, and what it prints of them."""

from __future__ import annotations

from pathlib import Path

import platformdirs
import pytest

from server.__main__ import main
from server.config import Config, load


@pytest.fixture(autouse=True)
def config_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of settings in which nothing is, unless a test puts it there."""
    folder = tmp_path / "config"
    folder.mkdir()
    monkeypatch.setattr(platformdirs, "user_config_dir", lambda *_, **__: str(folder))
    return folder


def printed(capsys: pytest.CaptureFixture[str], tmp_path: Path, *flags: str) -> tuple[Config, str]:
    assert main([*flags, "--print-config"]) == 0
    out = capsys.readouterr().out
    file = tmp_path / "printed.toml"
    file.write_text(out)
    return load(file), out


def test_the_printed_settings_can_be_saved_and_loaded(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config, out = printed(capsys, tmp_path, "--set", "queue=99", "--host", "::1", "--players", "3")
    assert (config.limits.queue, config.site.host) == (99, "::1")
    assert config.limits.defaults.players == 3
    again, out_again = printed(capsys, tmp_path, "--config", str(tmp_path / "printed.toml"))
    assert (again, out_again) == (config, out)


def test_short_forms_and_set_are_the_same_and_the_last_one_counts(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    flags = ["--per-address", "1", "--set", "per-address=2", "--per-address", "3"]
    assert printed(capsys, tmp_path, *flags)[0].limits.per_address == 3
    assert printed(capsys, tmp_path, *flags[:4])[0].limits.per_address == 2


def test_the_users_own_file_is_read_unless_another_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, config_folder: Path
) -> None:
    (config_folder / "server.toml").write_text("[limits]\nqueue = 7\n")
    other = tmp_path / "other.toml"
    other.write_text("")
    assert printed(capsys, tmp_path)[0].limits.queue == 7
    assert printed(capsys, tmp_path, "--config", str(other))[0].limits.queue == 64


def test_a_child_heeds_neither_environment_nor_the_users_file(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    config_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (config_folder / "server.toml").write_text('[server]\nhost = "0.0.0.0"\n')
    monkeypatch.setenv("SENRO_QUEUE", "7")
    named = tmp_path / "named.toml"
    named.write_text("[limits]\nchat = 3\n")
    config, _ = printed(capsys, tmp_path, "--child", "--config", str(named))
    assert (config.site.host, config.limits.queue, config.limits.chat) == ("127.0.0.1", 64, 3)


@pytest.mark.parametrize(
    ("flags", "says"),
    [
        (["--set", "queue"], "write NAME=VALUE"),
        (["--set", "queue=x=y"], "not 'x=y'"),
        (["--set", "colour=red"], "--set colour: there is no setting 'colour'"),
        (["--config", "/nowhere/server.toml"], "/nowhere/server.toml: it cannot be read"),
    ],
)
def test_bad_ones_are_one_line(
    flags: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(flags)
    assert stop.value.code == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1
