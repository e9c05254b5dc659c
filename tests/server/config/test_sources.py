"""Settings out of a file, the environment and flags: who counts more, and how each says no."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from server.config import ALL, Config, SettingsError, load, misspelt, to_toml
from server.settings import Settings, Site


def flag(name: str, text: str) -> tuple[str, str, str]:
    return name, text, f"--{name}"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "server.toml"


def test_nothing_given_is_the_defaults() -> None:
    assert load() == Config()


def test_flags_count_more_than_the_environment_and_that_more_than_the_file(file: Path) -> None:
    file.write_text("[limits]\nqueue = 10\nchat = 20\ntables = 30\n[server]\nport = 1\n")
    environment = {"SENRO_CHAT": "21", "SENRO_TABLES": "31"}
    flags = [flag("tables", "32"), flag("tables", "33")]
    config = load(file, environment, flags)
    assert (config.limits.queue, config.limits.chat, config.limits.tables) == (10, 21, 33)
    assert config.site.port == 1


def test_every_setting_has_one_name_and_is_found_everywhere(file: Path) -> None:
    names = [name for record in (Site, Settings) for name in record.__struct_fields__]
    assert {name.replace("_", "-") for name in names} - {"defaults"} <= set(ALL)
    assert len({setting.variable for setting in ALL.values()}) == len(ALL)
    for setting in ALL.values():
        value = setting.default
        text = ",".join(value) if isinstance(value, tuple) else str(value)
        if value is not None and (text or setting.section != "table"):
            assert load(None, {setting.variable: text}) == Config()
            assert load(None, {}, [flag(setting.name, text)]) == Config()


def test_every_number_has_a_range_and_every_setting_says_what_it_is() -> None:
    for setting in ALL.values():
        assert "None" not in setting.allowed
        assert setting.about or setting.section == "table"


def test_the_default_is_in_the_range(file: Path) -> None:
    file.write_text(to_toml(Config()))
    assert load(file) == Config()


def test_a_list_is_a_list_in_the_file_and_has_commas_elsewhere(file: Path) -> None:
    file.write_text('[table]\nkingdom = ["tokyo-first-game"]\n')
    assert load(file).limits.defaults.kingdom == ("tokyo-first-game",)
    config = load(None, {"SENRO_KINGDOM": " tokyo-first-game , "})
    assert config.limits.defaults.kingdom == ("tokyo-first-game",)


def values(kind: Any) -> st.SearchStrategy[Any]:
    """Values that a setting may have, at the ends of its range above all."""
    allowed = kind.allowed
    if allowed.startswith("a whole number"):
        low, high = map(int, allowed.removeprefix("a whole number from ").split(" to "))
        return st.sampled_from([low, high]) | st.integers(low, high)
    if allowed.startswith("a number"):
        low_, high_ = map(float, allowed.removeprefix("a number from ").split(" to "))
        return st.sampled_from([low_, high_]) | st.floats(low_, high_)
    if allowed.startswith("one of"):
        return st.sampled_from(allowed.removeprefix("one of ").split(", "))
    if allowed == "true or false":
        return st.booleans()
    assert allowed.startswith("text")
    return st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)


BY_NAME = {s.name: s for s in ALL.values() if s.section != "table" and s.name != "box"}


@given(
    st.lists(st.sampled_from(list(BY_NAME)), unique=True).flatmap(
        lambda some: st.fixed_dictionaries({name: values(BY_NAME[name]) for name in some})
    )
)
def test_what_is_printed_is_read_again_as_it_was(
    tmp_path_factory: pytest.TempPathFactory, some: dict[str, Any]
) -> None:
    parts: dict[str, dict[str, Any]] = {"server": {}, "limits": {}}
    for name, value in some.items():
        parts[BY_NAME[name].section][BY_NAME[name].field] = value
    config = Config(site=Site(**parts["server"]), limits=Settings(**parts["limits"]))
    file = tmp_path_factory.mktemp("settings") / "server.toml"
    file.write_text(to_toml(config), encoding="utf-8", newline="")
    assert load(file) == config


# ---------------------------------------------------------------------- saying no


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[limits]\nper-address = 0\n", "[limits] per-address: it has to be a whole number from 1"),
        ("[limits]\nper-address = 1.5\n", "from 1 to 100000, not '1.5'"),
        ("[limits]\nper-address = true\n", "not 'True'"),
        ('[limits]\nper-address = "16"\n', "not '16'"),
        ("[limits]\nhello = nan\n", "a number from 0.1 to 3600, not 'nan'"),
        ("[limits]\nhello = inf\n", "a number from 0.1 to 3600, not 'inf'"),
        ("[limits]\nper_address = 3\n", "do you mean per-address?"),
        ("[limits]\nport = 3\n", "[limits]: port belongs into [server]"),
        ("[limits]\ndefaults = 3\n", "there is no setting 'defaults'"),
        ("[table]\nseed = 'aa'\n", "there is no setting 'seed'"),
        ("per-address = 3\n", "per-address belongs into the section [limits]"),
        ("limits = 3\n", "limits is a section: write [limits]"),
        ("[limit]\n", "there is no section 'limit'; sections are [server], [limits], [table]"),
        ("[[limits]]\nqueue = 3\n", "limits is a section"),
        ('[server]\nlog-level = "loud"\n', "one of"),
        ('[server]\nhost = ""\n', "text of 1 to"),
        ("[table]\nplayers = 5\n", "a whole number from 0 to 4, not '5'"),
        (
            '[table]\nkingdom = ["landfill"]\n',
            "kingdom: 1 card is not enough; name 8 cards or one set",
        ),
        ('[table]\nkingdom = "landfill"\n', "a list of 0 to 16 names"),
        ('[table]\norder = "age"\n', "one of random, seats, not 'age'"),
        ("[limits\n", "this is no TOML"),
        ("a = " + "[" * 5_000, "this is no TOML"),
        ('[server]\nhost = "\\u001b[31m"\nlog-level = "\\u001b"\n', "log-level"),
    ],
)
def test_a_file_that_is_wrong_is_named_with_what_is_allowed(
    file: Path, text: str, says: str
) -> None:
    file.write_text(text)
    with pytest.raises(SettingsError) as no:
        load(file)
    assert str(no.value).startswith((f"{file}: ", "tables cannot be played"))
    assert says in str(no.value)
    assert "\n" not in str(no.value)


def test_a_file_that_cannot_be_read_is_named(file: Path) -> None:
    with pytest.raises(SettingsError, match="cannot be read"):
        load(file)
    file.write_bytes(b"\xff")
    with pytest.raises(SettingsError, match="has to be UTF-8"):
        load(file)


@pytest.mark.parametrize("text", ["", "x", "0", "1e9", " 5", "1_0", "\u0663", "nan", "5" * 5_000])
def test_a_bad_text_names_the_variable_or_the_flag(text: str) -> None:
    with pytest.raises(SettingsError) as no:
        load(None, {"SENRO_PER_ADDRESS": text})
    assert str(no.value).startswith("environment: SENRO_PER_ADDRESS: it has to be a whole number")
    assert len(str(no.value)) < 250
    with pytest.raises(SettingsError, match=r"^--per-address: it has to be a whole number from 1"):
        load(None, {}, [flag("per-address", text)])


def test_unknown_flags_are_named() -> None:
    with pytest.raises(SettingsError, match=r"--set x: there is no setting 'x'; --print-config"):
        load(None, {}, [("x", "1", "--set x")])


def test_variables_that_are_nearly_ours_are_found() -> None:
    environment = {"SENRO_PER_ADRESS": "3", "SENRO_PORT": "1", "SENRO_COLOUR": "x", "PATH": ""}
    assert misspelt(environment) == {"SENRO_PER_ADRESS": "SENRO_PER_ADDRESS"}
