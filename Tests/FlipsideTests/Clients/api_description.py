"""Holds requests and answers to the protocol's OpenAPI file, more strictly than a reader would: what it does not list is wrong."""

import collections, json, re, urllib.parse

import jsonschema

from protocol_schema import CHECKER, SCHEMA

FILE = SCHEMA.with_name("flipside.v1.openapi.json")
METHODS = ("get", "post", "put", "delete")


class Description:
    """Counts which answers came: the operation and the status."""

    def __init__(self):
        self.document = json.loads(FILE.read_text())
        self.counts = collections.Counter()

    def operation(self, method, path):
        """The name of the operation that answers, as `GET /api/rooms/{code}`, and its fields."""
        paths = self.document["paths"]
        # A path without braces comes first.
        for template in sorted(paths, key=lambda template: "{" in template):
            pattern = re.sub(r"\\{\w+\\}", "[^/]+", re.escape(template))
            if re.fullmatch(pattern, path) and method.lower() in paths[template]:
                return f"{method} {template}", paths[template][method.lower()]
        return None, None

    def successes(self):
        """The answers that requests have which succeed, but for those of WebSockets."""
        return {(f"{method.upper()} {path}", status) for path, item in self.document["paths"].items()
                for method in METHODS if method in item for status in item[method]["responses"] if status.startswith("2")}

    def violation(self, method, target, status, headers, text, body=None):
        """What is wrong with a request and its answer; None if nothing is. The text is bytes, `body` what was sent as JSON."""
        path, _, query = target.partition("?")
        name, operation = self.operation(method, path)
        if operation is None:
            return self.other(f"{method} {path}", status, text)
        place = f"{method} {target}: {status}"
        known = {parameter.get("name") for parameter in operation.get("parameters", [])}
        unknown = set(urllib.parse.parse_qs(query, keep_blank_values=True)) - known
        if unknown and status < 400:
            return f"{place}: parameters {unknown}"
        wanted = self.content(operation.get("requestBody", {}), "application/json")
        if status < 300 and body is not None and (wanted is None or (found := self.wrong(wanted, body))):
            return f"{place}: the body of the request: {wanted and found}"
        self.counts[name, str(status)] += 1
        if status >= 400:
            return self.problem(place, operation["responses"].get(str(status), {}).get("x-codes", []), status, text)
        answer = operation["responses"].get(str(status))
        if answer is None:
            return f"{place} is not described"
        if "X-Flipside-Log" not in headers and path.startswith("/api/"):
            return f"{place} does not name the log"
        type = headers.get("Content-Type")
        if "content" not in answer:
            return f"{place} has a body" if text else None
        schema = self.content(answer, type)
        if schema is None:
            return f"{place} is {type}"
        lines = text.splitlines() if type == "application/x-ndjson" else []
        found = self.wrong(schema, json.loads(text)) if type == "application/json" else next(
            filter(None, (CHECKER.violation("hub", json.loads(line)) for line in lines)), None)
        return found and f"{place}: {found}"

    def other(self, place, status, text):
        """A path that the API does not have, or a method: the page's files, and problems that any request may have."""
        return None if status < 400 else self.problem(place, [], status, text)

    def problem(self, place, codes, status, text):
        found = CHECKER.violation("http.problem", problem := json.loads(text))
        everywhere = self.document["x-any-request"].get(str(status), [])
        if found is None and problem["code"] not in codes + everywhere:
            return f"{place} with {problem['code']} is not described"
        return found and f"{place}: {found}"

    @staticmethod
    def content(part, type):
        """The schema of a body of this type; None if there is none."""
        return part.get("content", {}).get(type, {}).get("schema")

    @staticmethod
    def wrong(schema, value):
        """A body is a definition of the protocol's schema."""
        kind = re.fullmatch(r"flipside\.v1\.schema\.json#/\$defs/(.*)", schema["$ref"])[1]
        return CHECKER.violation(kind, value)


def check_document():
    """The schemas that stand in the document itself."""
    for item in Description().document["paths"].values():
        for method in METHODS:
            for parameter in item.get(method, {}).get("parameters", []):
                jsonschema.Draft202012Validator.check_schema(parameter["schema"])
