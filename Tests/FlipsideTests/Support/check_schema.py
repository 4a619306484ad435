"""Holds real traffic against the protocol's JSON Schema, more strictly than a reader would: a field that the schema does not
list is a violation too. check_schema.py SCHEMA NDJSON, a line {"direction": ..., "message": ...} each; `direction` is
`client`, `hub`, or the name of a definition (`http.rooms`). Says how often each kind came; ends with 1 at the first violation."""

import collections, json, sys

import jsonschema


def closed(schema):
    """The schema with `additionalProperties: false` wherever it lists properties and says nothing else."""
    if isinstance(schema, list):
        return [closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    # A property or a definition may be called `properties`; none here is.
    result = {name: closed(value) for name, value in schema.items()}
    if isinstance(result.get("properties"), dict):
        result.setdefault("additionalProperties", False)
    return result


class Checker:
    def __init__(self, schema):
        jsonschema.Draft202012Validator.check_schema(schema)
        self.schema = closed(schema)
        self.counts = collections.Counter()
        self.validators = {}

    def kind(self, direction, message):
        """The definition that this message must fit: found by its type, so that a violation names a field, not `oneOf`."""
        if direction not in ("client", "hub"):
            return direction
        prefix = "event" if direction == "hub" and "v" in message and "t" in message else direction
        return f"{prefix}.{message.get('type')}"

    def violation(self, direction, message):
        """What is wrong with the message; None if nothing is."""
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


def main():
    with open(sys.argv[1]) as file:
        checker = Checker(json.load(file))
    with open(sys.argv[2]) as file:
        lines = file.readlines()
    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        wrong = checker.violation(record["direction"], record["message"])
        if wrong:
            sys.exit(f"line {number}: {wrong}\n{json.dumps(record['message'], ensure_ascii=False)[:2000]}")
    if not checker.counts:
        sys.exit("there was no traffic")
    # What no traffic has shown is not held: whoever calls this decides which of these matter.
    never = [name for name in checker.schema["$defs"] if "." in name and name not in checker.counts]
    print(json.dumps({"counts": dict(sorted(checker.counts.items())), "never": never}))


if __name__ == "__main__":
    main()
