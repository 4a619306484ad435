"""Checks messages against the protocol's JSON Schema, more strictly than a reader would: a field that the schema does not
list is a violation too."""

import collections, json, pathlib, re

import jsonschema

SCHEMA = pathlib.Path(__file__).parents[3] / "Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json"


def closed(schema):
    """The schema with `additionalProperties: false` wherever it lists properties and does not say otherwise."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    # A property or a definition could be named `properties`; none here is. A condition lists only the fields it is about.
    result = {name: value if name in ("if", "then") else closed(value) for name, value in schema.items()}
    if isinstance(result.get("properties"), dict):
        result.setdefault("additionalProperties", False)
    return result


class Checker:
    """Counts how often each kind of message came."""

    def __init__(self):
        schema = json.loads(SCHEMA.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        self.schema = closed(schema)
        self.counts = collections.Counter()
        self.validators = {}

    def kind(self, direction, message):
        """The definition for this message, by its type, so that a violation names a field, not `oneOf`."""
        if direction not in ("client", "hub"):
            return direction
        prefix = "event" if direction == "hub" and "v" in message and "t" in message else direction
        return f"{prefix}.{message.get('type')}"

    def violation(self, direction, message):
        """What is wrong with a message; None if it is right. `direction` is `client`, `hub`, or the name of a definition."""
        kind = self.kind(direction, message)
        if kind not in self.schema["$defs"]:
            return f"{kind} is not in the schema"
        if kind not in self.validators:
            schema = {"$schema": self.schema["$schema"], "$ref": f"#/$defs/{kind}", "$defs": self.schema["$defs"]}
            self.validators[kind] = jsonschema.Draft202012Validator(schema)
        self.counts[kind] += 1
        errors = list(self.validators[kind].iter_errors(message))
        if not errors:
            return None
        worst = jsonschema.exceptions.best_match(errors)
        return f"{kind}, {worst.json_path}: {worst.message}"

    def commands(self):
        """The definitions of all commands."""
        return [name for name, definition in self.schema["$defs"].items()
                if name.startswith("client.") and "id" in definition["required"]]

    def least(self, schema):
        """The smallest value that fits `schema`, or nearly: of patterns it knows only those of hexadecimal digits."""
        if "$ref" in schema:
            return self.least(self.schema["$defs"][schema["$ref"].removeprefix("#/$defs/")])
        if "const" in schema or "enum" in schema:
            return schema.get("const", schema.get("enum", [None])[0])
        kind = schema["type"]
        if kind == "object":
            return {name: self.least(schema["properties"][name]) for name in schema.get("required", [])}
        digits = re.search(r"\{(\d+)\}", schema.get("pattern", "{1}"))
        return {"integer": schema.get("minimum", 0), "string": "0" * int(digits[1]), "boolean": True, "array": []}[kind]

    def never(self):
        """The kinds in the schema that never came."""
        return [name for name in self.schema["$defs"] if "." in name and name not in self.counts]


CHECKER = Checker()


def conforms(direction, value):
    """Checks `value` against the schema: a message of `client` or `hub`, or a definition by name."""
    wrong = CHECKER.violation(direction, value)
    assert wrong is None, wrong
    return value
