"""A tool and its spellings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from toolglot.core.wording import join
from toolglot.dialects import dialect as dialect_named
from toolglot.projection import Direction, Loss, Projection, project
from toolglot.schema import NotASchema, SchemaError

#: Where other APIs hold a tool's schema. A tool with one of these and no ``inputSchema`` is not in MCP form.
FOREIGN_KEYS = ("parameters", "input_schema", "function")


@dataclass(frozen=True, slots=True)
class SpelledTool:
    """A tool in one dialect. ``description`` carries what the dialect's root schema has no place for."""

    tool: Tool
    dialect: str
    description: str | None
    input: Projection
    output: Projection | None

    @property
    def name(self) -> str:
        return self.tool.name

    @property
    def losses(self) -> tuple[Loss, ...]:
        """The losses of the input schema."""
        return self.input.losses

    def to_mcp(self) -> dict[str, Any]:
        """The tool in MCP form, its fields as they came, its schemas spelled."""
        return self.tool.written(self.description, self.input.schema, self.output.schema if self.output else None)


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool offered to a model: a name, a description, the JSON Schema of its arguments and of its result.

    ``extra`` holds whatever else the MCP form had (icons and so on); it is passed on as it came.
    """

    name: str
    description: str | None = None
    input_schema: Any = field(default_factory=lambda: {"type": "object"})
    output_schema: Any = None
    annotations: Mapping[str, Any] | None = None
    title: str | None = None
    meta: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    order: tuple[str, ...] = ("name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")

    @classmethod
    def from_mcp(cls, tool: Mapping[str, Any]) -> Tool:
        """A tool from its MCP form: ``{"name", "description", "inputSchema", ...}``.

        A tool without ``inputSchema`` is one without parameters. Where the form of another API holds the schema instead
        (``parameters``, ``input_schema`` or ``function``), the tool is refused. Raises ``NotASchema``.
        """
        if not isinstance(tool, Mapping):
            raise NotASchema("a tool is a JSON object with name and inputSchema")
        name = tool.get("name")
        foreign = None if "inputSchema" in tool else next((key for key in FOREIGN_KEYS if key in tool), None)
        if foreign is not None:
            remedy = "take name, description and schema out of" if foreign == "function" else "rename"
            raise NotASchema(
                f"a tool in MCP form holds its schema under inputSchema; {remedy} {foreign}",
                path=f"/{foreign}",
                tool=name if isinstance(name, str) else None,
            )
        if not isinstance(name, str):
            raise NotASchema("a tool needs a name that is a string", path="/name")
        description, title = tool.get("description"), tool.get("title")
        known = {"name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta"}
        return cls(
            name=name,
            description=description if isinstance(description, str) else None,
            input_schema=tool.get("inputSchema", {"type": "object"}),
            output_schema=tool.get("outputSchema"),
            annotations=tool.get("annotations"),
            title=title if isinstance(title, str) else None,
            meta=tool.get("_meta"),
            extra={key: value for key, value in tool.items() if key not in known},
            order=tuple(tool),
        )

    def project(self, dialect: str, **options: Any) -> SpelledTool:
        """Spell the tool in a dialect; takes and raises what ``toolglot.project`` does, errors naming the tool."""
        spelled = self._project(self.input_schema, dialect, "input", options)
        output = None
        if self.output_schema is not None:
            output = self._project(self.output_schema, dialect, "output", options)
        return SpelledTool(self, dialect, self._described(spelled), spelled, output)

    def _project(self, schema: Any, dialect: str, direction: Direction, options: Mapping[str, Any]) -> Projection:
        try:
            return project(schema, dialect, direction, **options)
        except SchemaError as error:
            raise error.named(self.name) from None

    def _described(self, spelled: Projection) -> str | None:
        """The tool's description, with the root's where the dialect's root cannot hold one."""
        if dialect_named(spelled.dialect).rule("root_keywords") is None:
            return self.description
        own = spelled.root_description
        told = join(self.description, [own]) if own else self.description
        return join(told, spelled.root_sentences) or self.description

    def written(self, description: str | None, schema: Any, output: Any) -> dict[str, Any]:
        """The MCP form with these schemas, fields in the order they came."""
        values: dict[str, Any] = {
            "name": self.name,
            "title": self.title,
            "description": description,
            "inputSchema": schema,
            "outputSchema": output,
            "annotations": self.annotations,
            "_meta": self.meta,
            **self.extra,
        }
        out = {key: values[key] for key in self.order if values.get(key) is not None}
        for key, value in values.items():
            if value is not None and key not in out:
                out[key] = value
        return out
