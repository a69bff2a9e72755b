"""The command ``toolglot``: each command, each failure, and the exit codes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

import toolglot as tg
from toolglot.cli import main

CATALOG = Path(__file__).parent.parent / "examples" / "catalog.json"
COMMAND = [sys.executable, "-m", "toolglot.cli"]
UNAVAILABLE = "Its parameters are not available here."

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"b": {"type": "string", "pattern": "^b+$"}, "a": {"type": "integer", "minimum": 1}},
    "required": ["b"],
}
TOOL: dict[str, Any] = {"name": "good", "description": "Does good.", "inputSchema": SCHEMA}
BROKEN: dict[str, Any] = {"type": "object", "properties": {"a": {"$ref": "#/$defs/absent"}}}


def run(*arguments: str, stdin: bytes = b"", **kwargs: Any) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*COMMAND, *arguments], input=stdin, capture_output=True, timeout=120, check=False, **kwargs)


def fails(capfd: pytest.CaptureFixture[str], code: int, *arguments: str) -> str:
    """Run in this process; the command must fail with one line on standard error, which is returned."""
    assert main(arguments) == code
    out, err = capfd.readouterr()
    if code != 1:
        assert out == ""
    return only_line(err)


def only_line(err: str) -> str:
    assert err.endswith("\n")
    assert err.count("\n") == 1, err
    assert err.startswith("toolglot: ")
    assert "Traceback" not in err
    return err[len("toolglot: ") : -1]


def prints(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run in this process; the command must succeed in silence, and what it prints is returned."""
    assert main(arguments) == 0
    out, err = capfd.readouterr()
    assert err == ""
    return out


@pytest.fixture
def save(tmp_path: Path) -> Any:
    def write(value: Any, name: str = "document.json") -> str:
        path = tmp_path / name
        path.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
        return str(path)

    return write


# What each kind of file gives


def test_a_schema_gives_the_schema_spelled(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = prints(capfd, "project", save(SCHEMA), "--dialect", "openai_strict")
    expected = tg.project(SCHEMA, "openai_strict")
    assert out.encode() == expected.to_json() + b"\n"
    assert json.loads(out) == expected.schema


def test_the_direction_reaches_a_schema(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = prints(capfd, "project", save(SCHEMA), "--dialect", "openai_strict", "--direction", "output")
    assert json.loads(out) == tg.project(SCHEMA, "openai_strict", direction="output").schema
    assert json.loads(out) != tg.project(SCHEMA, "openai_strict").schema


def test_a_tool_gives_the_tool_in_mcp_form(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = json.loads(prints(capfd, "project", save(TOOL), "--dialect", "openai_strict"))
    assert out == tg.Tool.from_mcp(TOOL).project("openai_strict").to_mcp()
    assert out["inputSchema"]["additionalProperties"] is False


def test_a_list_gives_a_list(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = json.loads(prints(capfd, "project", save([TOOL, {**TOOL, "name": "other"}]), "-d", "flat"))
    assert [tool["name"] for tool in out] == ["good", "other"]


@pytest.mark.parametrize(
    "wrap", [lambda r: r, lambda r: {"jsonrpc": "2.0", "id": 1, "result": r}], ids=["result", "rpc"]
)
def test_a_tools_list_result_gives_one(capfd: pytest.CaptureFixture[str], save: Any, wrap: Any) -> None:
    out = json.loads(prints(capfd, "project", save(wrap({"tools": [TOOL]})), "-d", "nova"))
    assert out == {"tools": [tg.Tool.from_mcp(TOOL).project("nova").to_mcp()]}


def test_other_members_of_a_result_stay(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = json.loads(prints(capfd, "project", save({"tools": [TOOL], "nextCursor": "2"}), "-d", "flat"))
    assert out["nextCursor"] == "2"


def test_a_tool_without_a_schema_is_a_tool(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = json.loads(prints(capfd, "project", save({"name": "lonely"}), "-d", "flat"))
    assert out == {"name": "lonely", "inputSchema": {"type": "object"}}


def test_no_tools_are_no_error(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    assert prints(capfd, "project", save({"tools": []}), "-d", "flat") == '{"tools":[]}\n'
    assert prints(capfd, "project", save([]), "-d", "flat") == "[]\n"


def test_one_tool_of_many(capfd: pytest.CaptureFixture[str]) -> None:
    out = json.loads(prints(capfd, "project", str(CATALOG), "-d", "flat", "--tool", "plan_route"))
    assert out["name"] == "plan_route"


@pytest.mark.parametrize("dialect", tg.dialects())
def test_the_example_catalog_in_each_dialect(capfd: pytest.CaptureFixture[str], dialect: str) -> None:
    raw = json.loads(CATALOG.read_bytes())
    out = json.loads(prints(capfd, "project", str(CATALOG), "--dialect", dialect))
    assert [tool["name"] for tool in out["tools"]] == [tool["name"] for tool in raw["tools"]]
    for tool, given in zip(out["tools"], raw["tools"], strict=True):
        assert tool["inputSchema"]["type"] == "object"
        assert UNAVAILABLE not in tool["description"]
        # What is said of the parameters is added to the author's own description, which comes first.
        assert tool["description"].startswith(given["description"])
    if dialect == "canonical":
        assert out == raw


@pytest.mark.parametrize("dialect", tg.dialects())
def test_the_losses_of_the_example_catalog(capfd: pytest.CaptureFixture[str], dialect: str) -> None:
    rows = json.loads(prints(capfd, "project", str(CATALOG), "-d", dialect, "--losses", "--json"))
    keys = ["tool", "path", "keyword", "value", "effect", "sentence", "implicit", "places"]
    names = {tool["name"] for tool in json.loads(CATALOG.read_bytes())["tools"]}
    assert bool(rows) == (dialect != "canonical")
    for row in rows:
        assert list(row) == keys
        assert row["tool"] in names
        assert row["effect"] in ("carried", "unspoken", "encoded", "unreachable")
        assert row["path"] == "" or row["path"].startswith("/")


# How it is laid out


def test_json_is_compact_when_piped_and_indented_when_asked(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    file = save([TOOL])
    compact = prints(capfd, "project", file, "-d", "flat")
    assert compact.count("\n") == 1
    indented = prints(capfd, "project", file, "-d", "flat", "--indent")
    assert indented.startswith('[\n  {\n    "name": "good"')
    assert json.loads(compact) == json.loads(indented)
    schema = prints(capfd, "project", save(SCHEMA), "-d", "flat", "--indent")
    assert schema.startswith('{\n  "type"')


def test_property_order_is_the_authors(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    out = json.loads(prints(capfd, "project", save(SCHEMA), "-d", "flat"))
    assert list(out["properties"]) == ["b", "a"]


def test_exact_integers(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    large = 2**80 + 1
    tool = {**TOOL, "inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "default": large}}}}
    for extra in ([], ["--indent"]):
        out = json.loads(prints(capfd, "project", save([tool]), "-d", "flat", *extra))
        assert out[0]["inputSchema"]["properties"]["n"]["default"] == large


def test_output_goes_to_a_file(capfd: pytest.CaptureFixture[str], save: Any, tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    assert prints(capfd, "project", save(TOOL), "-d", "flat", "-o", str(out)) == ""
    assert json.loads(out.read_bytes())["name"] == "good"
    assert out.read_bytes().count(b"\n") == 1
    assert prints(capfd, "project", save(TOOL), "-d", "gemini", "--losses", "-o", str(out)) == ""
    assert b"/properties/b" in out.read_bytes()


def test_standard_input() -> None:
    done = run("project", "-", "-d", "flat", stdin=b"\xef\xbb\xbf" + json.dumps(TOOL).encode())
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["name"] == "good"


def test_characters_are_written_as_utf8_whatever_the_locale() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    for extra in ([], ["--losses"]):
        arguments = ["project", str(CATALOG), "-d", "gemini", "--tool", "weather_forecast", *extra]
        done = run(*arguments, env=environment)
        assert (done.returncode, done.stderr) == (0, b"")
        assert "国家" in done.stdout.decode()


# Losses as a table


def test_losses_are_a_table(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    lines = prints(capfd, "project", save([TOOL, {**TOOL, "name": "other"}]), "-d", "gemini", "--losses").splitlines()
    losses = tg.Tool.from_mcp(TOOL).project("gemini").losses
    assert lines[0].split() == ["tool", "path", "keyword", "effect", "sentence"]
    rows = [line for line in lines if line.startswith(("good ", "other "))]
    assert len(rows) == 2 * len(losses)
    assert any("/properties/b" in row and "Must match the pattern ^b+$." in row for row in rows)
    assert lines[-1].startswith(f"{2 * len(losses)} losses in 2 of 2 tools: ")
    assert not any(line.endswith(" ") for line in lines)


def test_losses_of_a_schema_name_no_tool(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    lines = prints(capfd, "project", save(SCHEMA), "-d", "gemini", "--losses").splitlines()
    assert lines[0].split() == ["path", "keyword", "effect", "sentence"]
    rows = json.loads(prints(capfd, "project", save(SCHEMA), "-d", "gemini", "--losses", "--json"))
    assert {row["tool"] for row in rows} == {None}


def test_a_long_cell_widens_no_other_line(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    schema = {"properties": {"a": {"type": "string", "pattern": "x" * 500}, "b": {"type": "string", "pattern": "y"}}}
    lines = prints(capfd, "project", save(schema), "-d", "gemini", "--losses").splitlines()
    assert [len(line) > 300 for line in lines].count(True) == 1
    assert set(lines[1]) == {"-", " "}
    assert len({line.index("Must match") for line in lines if "Must match" in line}) == 1


def test_no_losses_are_said(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    assert prints(capfd, "project", save(TOOL), "-d", "canonical", "--losses") == "No losses.\n"
    assert prints(capfd, "project", save(TOOL), "-d", "canonical", "--losses", "--json") == "[]\n"


def test_losses_of_the_output_are_its_own(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    tool = {**TOOL, "outputSchema": {"type": "object", "properties": {"o": {"type": "string", "pattern": "^o$"}}}}
    spelled = tg.Tool.from_mcp(tool).project("nova")
    assert spelled.output is not None
    arguments = ["project", save(tool), "-d", "nova", "--losses", "--json", "--direction", "output"]
    rows = json.loads(prints(capfd, *arguments))
    assert [row["path"] for row in rows] == [loss.path for loss in spelled.output.losses]
    assert json.loads(prints(capfd, "project", save(TOOL), *arguments[2:])) == []


def test_a_table_holds_no_control_characters(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^[bold]\u001b[31m\u202e$"}}}
    out = prints(capfd, "project", save(schema), "-d", "gemini", "--losses")
    assert "[bold]" in out
    assert "\u001b" not in out
    assert "\u202e" not in out


# A bad tool takes no other down


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ({"type": "strin"}, "type"),
        (BROKEN, "/properties/a"),
        ({"type": "object", "properties": {"a": {"required": "a"}}}, "/properties/a"),
        ("no schema", "schema"),
    ],
    ids=["type", "reference", "required", "no object"],
)
def test_a_bad_tool_takes_no_other_down(capfd: pytest.CaptureFixture[str], save: Any, schema: Any, said: str) -> None:
    bad = {"name": "bad", "title": "Bad", "description": "Was useful", "inputSchema": schema, "outputSchema": {}}
    file = save({"tools": [TOOL, bad, {**TOOL, "name": "last"}]})
    assert main(["project", file, "-d", "flat"]) == 1
    out, err = capfd.readouterr()
    line = only_line(err)
    assert "bad" in line
    assert said in line
    tools = json.loads(out)["tools"]
    assert [tool["name"] for tool in tools] == ["good", "bad", "last"]
    assert tools[0] == tg.Tool.from_mcp(TOOL).project("flat").to_mcp()
    assert tools[1] == {
        "name": "bad",
        "title": "Bad",
        "description": f"Was useful. {UNAVAILABLE}",
        "inputSchema": {"type": "object", "properties": {}},
    }
    line = fails(capfd, 1, "project", file, "-d", "flat", "--losses")
    assert "bad" in line


@pytest.mark.parametrize("dialect", tg.dialects())
def test_a_bad_tool_is_listed_in_the_dialect(capfd: pytest.CaptureFixture[str], save: Any, dialect: str) -> None:
    assert main(["project", save([{"name": "bad", "inputSchema": {"type": "strin"}}]), "-d", dialect]) == 1
    listed = json.loads(capfd.readouterr().out)[0]["inputSchema"]
    assert listed == tg.project({"type": "object", "properties": {}}, dialect).schema
    assert dialect != "openai_strict" or (listed["additionalProperties"], listed["required"]) == (False, [])


@pytest.mark.parametrize(
    ("key", "remedy"),
    [
        ("parameters", "; rename parameters"),
        ("input_schema", "; rename input_schema"),
        ("function", "; take name, description and schema out of function"),
    ],
)
def test_a_tool_in_another_form_is_a_bad_tool(
    capfd: pytest.CaptureFixture[str], save: Any, key: str, remedy: str
) -> None:
    said = f"a tool in MCP form holds its schema under inputSchema{remedy}"
    foreign = {"name": "other", "type": "function", key: SCHEMA}
    with pytest.raises(tg.NotASchema, match=said) as caught:
        tg.Tool.from_mcp(foreign)
    assert (caught.value.tool, caught.value.path) == ("other", f"/{key}")
    assert main(["project", save({"tools": [TOOL, foreign]}), "-d", "openai_strict"]) == 1
    out, err = capfd.readouterr()
    assert only_line(err) == f"tool other: #/{key}: {said}"
    empty = tg.project({"type": "object", "properties": {}}, "openai_strict").schema
    assert json.loads(out)["tools"][1] == {
        "name": "other",
        "type": "function",
        "description": UNAVAILABLE,
        "inputSchema": empty,
    }
    assert said in fails(capfd, 2, "project", save(foreign), "-d", "flat")
    # beside inputSchema such a key is the author's own
    both = {**TOOL, key: 1}
    assert json.loads(prints(capfd, "project", save([both]), "-d", "canonical")) == [both]


def test_a_nameless_tool_in_another_form(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    nested = {"type": "function", "function": {"name": "other", "parameters": SCHEMA}}
    line = fails(capfd, 1, "project", save([nested]), "-d", "flat")
    assert line.startswith("tools[0]: a tool in MCP form")
    assert "out of function" in fails(capfd, 2, "project", save(nested), "-d", "flat")


def test_a_bad_tool_without_a_description(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    assert main(["project", save([{"name": "bad", "inputSchema": BROKEN}]), "-d", "flat"]) == 1
    assert json.loads(capfd.readouterr().out)[0]["description"] == UNAVAILABLE


def test_what_is_no_tool_cannot_be_listed(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    assert main(["project", save([TOOL, 7, {"inputSchema": SCHEMA}]), "-d", "flat"]) == 1
    out, err = capfd.readouterr()
    assert [tool["name"] for tool in json.loads(out)] == ["good"]
    lines = err.splitlines()
    assert len(lines) == 2
    left_out = "; the list leaves it out"
    assert lines[0] == f"toolglot: tools[1]: a tool is a JSON object with name and inputSchema{left_out}"
    assert lines[1] == f"toolglot: tools[2]: a tool needs a name that is a string{left_out}"


def test_a_bad_tool_asked_for_by_name_is_bad_input(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    file = save([TOOL, {"name": "bad", "inputSchema": BROKEN}])
    assert "/properties/a" in fails(capfd, 2, "project", file, "-d", "flat", "--tool", "bad")
    assert prints(capfd, "project", file, "-d", "flat", "--tool", "good")


# Bad input and usage


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"type": ', "JSON"),
        (b"", "empty"),
        (b" \n", "empty"),
        (b'{"title": "\xff"}', "UTF-8"),
        (b"7", "no schema"),
        (b'"text"', "no schema"),
        (b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1}}', "result"),
        (b'{"jsonrpc": "2.0", "id": 1, "result": {"prompts": []}}', "result.tools"),
        (b'{"tools": {}}', "list"),
        (b'{"inputSchema": {}}', "name"),
        (json.dumps(BROKEN).encode(), "/properties/a"),
        (json.dumps({"name": "t", "inputSchema": BROKEN}).encode(), "/properties/a"),
        (b'{"type": "object", "properties": []}', "properties"),
    ],
)
@pytest.mark.parametrize("losses", [False, True])
def test_bad_documents(capfd: pytest.CaptureFixture[str], save: Any, data: bytes, said: str, losses: bool) -> None:
    file = save(data)
    line = fails(capfd, 2, "project", file, "--dialect", "flat", *(["--losses"] if losses else []))
    assert said in line
    assert "document.json" in line


def test_a_document_nested_too_deep(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    for depth in (600, 3_000, 100_000):
        data = b'{"items":' * depth + b"{}" + b"}" * depth
        line = fails(capfd, 2, "project", save(data), "-d", "flat")
        assert "nests deeper than 254 containers; flatten it" in line
        with pytest.raises(tg.SchemaTooDeep):
            tg.project_json(data, "flat")
        with pytest.raises(tg.SchemaTooDeep):
            tg.project_json(data.replace(b"{}", b"123456789012345678901234567890"), "flat")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "empty; it should be JSON"),
        (" \n", "empty; it should be JSON"),
        (b"\xff", "no valid UTF-8 (byte 0); write it as UTF-8"),
        (b'{"title": "\xff"}', "no valid UTF-8 (byte 11); write it as UTF-8"),
        (b'[123456789012345678901234567890, "\xff"]', "no valid UTF-8 (byte 34); write it as UTF-8"),
        ('{"title": "\ud800"}', "holds a lone surrogate, which is no text; mend the string"),
        (b'{"type": ', "no valid JSON (line 1, column 10); mend the syntax there"),
    ],
)
def test_what_cannot_be_read_says_why(data: bytes | str, said: str) -> None:
    with pytest.raises(tg.NotASchema) as caught:
        tg.project_json(data, "flat")
    assert caught.value.message == said


def test_the_remedy_of_a_reference_can_be_followed(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    line = fails(capfd, 2, "project", save(BROKEN), "-d", "flat")
    assert line.endswith("#/$defs/absent points nowhere; mend the reference")
    line = fails(capfd, 2, "project", save({"properties": {"a": {"$ref": "https://e.test/a"}}}), "-d", "flat")
    assert line.endswith("https://e.test/a points nowhere; give its document (resources= in Python)")


def test_bad_paths(capfd: pytest.CaptureFixture[str], save: Any, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.json")
    assert "no such file" in fails(capfd, 2, "project", missing, "-d", "flat")
    assert "directory" in fails(capfd, 2, "project", str(tmp_path), "-d", "flat")
    assert "cannot be read" in fails(capfd, 2, "project", save(TOOL) + "/below", "-d", "flat")
    for extra in ([], ["--losses"]):
        line = fails(capfd, 2, "project", save(TOOL), "-d", "flat", "-o", str(tmp_path / "no" / "where"), *extra)
        assert "cannot be written" in line


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads every file")
def test_an_unreadable_file(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    file = save(TOOL)
    Path(file).chmod(0)
    assert "cannot be read" in fails(capfd, 2, "project", file, "-d", "flat")


@pytest.mark.parametrize("arguments", [["project", str(CATALOG), "--dialect", "OPENAI_STRICT"], ["dialects", "Flat"]])
def test_an_unknown_dialect_lists_the_known(capfd: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    line = fails(capfd, 2, *arguments)
    for name in tg.dialects():
        assert name in line
    assert line.endswith(f"; did you mean {arguments[-1].lower()}?")
    assert "did you mean openai_strict?" in fails(capfd, 2, "project", str(CATALOG), "-d", "openai")
    assert "did you mean" not in fails(capfd, 2, "dialects", "zzz")


def test_an_unknown_tool(capfd: pytest.CaptureFixture[str], save: Any) -> None:
    assert "plan_route" in fails(capfd, 2, "project", str(CATALOG), "-d", "flat", "--tool", "plan_routes")
    assert "good" in fails(capfd, 2, "project", save([TOOL]), "-d", "flat", "--tool", "zzz")
    assert "schema" in fails(capfd, 2, "project", save(SCHEMA), "-d", "flat", "--tool", "good")


def test_usage(capfd: pytest.CaptureFixture[str]) -> None:
    assert "--dialect" in fails(capfd, 2, "project", str(CATALOG))
    assert "FILE" in fails(capfd, 2, "project", "-d", "flat")
    assert "--nonsense" in fails(capfd, 2, "project", str(CATALOG), "-d", "flat", "--nonsense")
    assert "sideways" in fails(capfd, 2, "project", str(CATALOG), "-d", "flat", "--direction", "sideways")
    assert "--losses" in fails(capfd, 2, "project", str(CATALOG), "-d", "flat", "--json")
    fails(capfd, 2, "nonsense")


def test_failures_as_a_process(save: Any) -> None:
    for arguments, code in [
        (["project", save(b"{"), "-d", "flat"], 2),
        (["project", "nowhere.json", "-d", "flat"], 2),
        (["project", save([{"name": "bad", "inputSchema": BROKEN}], "bad.json"), "-d", "flat"], 1),
    ]:
        done = run(*arguments)
        assert done.returncode == code
        only_line(done.stderr.decode())


def test_help_and_version(capfd: pytest.CaptureFixture[str]) -> None:
    assert prints(capfd, "--version") == f"toolglot {tg.__version__}\n"
    text = prints(capfd, "--help")
    assert "project" in text
    assert "dialects" in text
    text = prints(capfd, "project", "--help")
    for option in ("--dialect", "--tool", "--direction", "--losses", "--json", "--indent", "-o"):
        assert option in text
    assert main([]) == 2
    assert "Usage" in capfd.readouterr().err


# Dialects


def test_the_dialects_are_listed_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    lines = prints(capfd, "dialects").splitlines()
    assert lines[0].split() == ["name", "title", "revision"]
    assert [line.split()[0] for line in lines[2:]] == list(tg.dialects())
    value = json.loads(prints(capfd, "dialects", "--json"))
    assert [each["name"] for each in value] == list(tg.dialects())
    assert {tuple(each) for each in value} == {("name", "title", "revision")}


@pytest.mark.parametrize("name", tg.dialects())
def test_a_dialect_is_shown_with_its_evidence(capfd: pytest.CaptureFixture[str], name: str) -> None:
    dialect = tg.dialect(name)
    text = prints(capfd, "dialects", name)
    assert text.splitlines()[-1] == f"{name}: {dialect.title}, revision {dialect.revision}"
    value = json.loads(prints(capfd, "dialects", name, "--json"))
    assert set(value["keywords"]) == set(dialect.keywords)
    assert set(value["rejected"]) == set(dialect.rejected)
    assert set(value["limits"]) == set(dialect.limits)
    assert (value["formats"] is None) == (dialect.formats is None)
    for rule, row in value["rules"].items():
        assert row["value"] == json.loads(json.dumps(dialect.rules[rule].value))
        assert row["source"]
        assert row["confidence"] in ("documented", "observed", "inferred")
    for keyword, evidence in dialect.keywords.items():
        assert keyword in text
        assert evidence.date in text


# As a process among others


def test_the_console_script_is_the_command() -> None:
    (script,) = entry_points(group="console_scripts", name="toolglot")
    assert script.load() is main


def test_without_click_one_line_says_what_to_install() -> None:
    code = "import sys; sys.modules['click'] = None; from toolglot.cli import main; sys.exit(main(['--version']))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert 'pip install "toolglot[cli]"' in only_line(done.stderr.decode())


@pytest.mark.skipif(os.name == "nt", reason="a pipe of its own kind")
def test_a_reader_that_has_gone_is_no_error(save: Any) -> None:
    many = save({"tools": [{**TOOL, "name": f"tool_{index}"} for index in range(400)]})
    for extra in ([], ["--losses"]):
        process = subprocess.Popen(
            [*COMMAND, "project", many, "-d", "gemini", *extra], stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
        process.stderr.close()
        assert process.wait(60) == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no full device here")
def test_a_full_disk_is_said_in_one_line(save: Any) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "project", save(TOOL), "-d", "flat"],
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
    assert done.returncode == 2
    only_line(done.stderr.decode())


def on_terminal(*arguments: str, stream: str = "stdout", columns: int = 100) -> tuple[int, bytes, bytes]:
    """Run with one stream on a terminal; its exit code, what the terminal showed, and the other stream."""
    pty = pytest.importorskip("pty", reason="no terminals here")
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def read() -> None:
        try:
            while chunk := os.read(ours, 65536):
                shown.append(chunk)
        except OSError:
            pass

    other = "stderr" if stream == "stdout" else "stdout"
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns)}
    streams: dict[str, Any] = {stream: theirs, other: subprocess.PIPE}
    process = subprocess.Popen([*COMMAND, *arguments], env=environment, stdin=subprocess.DEVNULL, **streams)
    os.close(theirs)
    reader = threading.Thread(target=read)
    reader.start()
    out, err = process.communicate(timeout=120)
    reader.join(30)
    os.close(ours)
    return process.returncode, b"".join(shown), err if stream == "stdout" else out


def test_json_is_indented_on_a_terminal(save: Any) -> None:
    code, shown, err = on_terminal("project", save(TOOL), "-d", "flat")
    assert (code, err) == (0, b"")
    assert shown.startswith(b'{\r\n  "name"')
    assert json.loads(shown)["name"] == "good"
    code, shown, err = on_terminal("project", save(TOOL), "-d", "flat", "--compact")
    assert shown.count(b"\n") == 1


def test_a_table_fits_a_terminal() -> None:
    code, shown, err = on_terminal("project", str(CATALOG), "-d", "gemini", "--losses")
    assert (code, err) == (0, b"")
    assert b"sentence" in shown


@pytest.mark.parametrize("columns", [80, 90, 130, 300])
def test_names_of_rows_stay_whole_on_a_terminal(columns: int) -> None:
    for name in ("gemini", "nova"):
        code, shown, err = on_terminal("dialects", name, columns=columns)
        assert (code, err) == (0, b"")
        text = re.sub("\x1b\\[[0-9;]*m", "", shown.decode())
        *lines, footer = text.splitlines()
        assert max(map(len, lines)) <= columns
        assert footer.startswith(f"{name}: ")
        dialect = tg.dialect(name)
        for row in (*dialect.rules, *dialect.keywords, *dialect.rejected, *dialect.limits):
            assert f" {row} " in text
        if columns < 100 or columns == 300:
            assert ("Not shown: " in text) == (columns < 100)


def test_long_work_shows_progress_on_a_terminal_only(save: Any) -> None:
    many = save([{**TOOL, "name": f"tool_{index}"} for index in range(501)])
    code, shown, out = on_terminal("project", many, "-d", "flat", stream="stderr")
    assert code == 0
    assert b"Spelling flat" in shown
    assert len(json.loads(out)) == 501
    done = run("project", many, "-d", "flat")
    assert (done.returncode, done.stderr) == (0, b"")
    code, shown, out = on_terminal("project", save([TOOL] * 500, "few.json"), "-d", "flat", stream="stderr")
    assert (code, shown) == (0, b"")
