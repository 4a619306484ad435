"""The pages of the protocol, and the examples in them.

Each block of code comes after a line that says what it is:

- `<!-- example: NAME -->`: real output of a hub, which a test compares or writes. Its lines are messages: sent ones begin
  with `> `, those that came with `< `; lines of a log stand alone. A long one is broken after commas, with four blanks
  before its rest.
- `<!-- shell: NAME -->` and `<!-- program: FILE -->`: run by a test, word for word.
- `<!-- vector: NAME -->`: `name = value` in each line, computed again by a test.
"""

import json, pathlib, re

from protocol_schema import SCHEMA

CATALOGUE = SCHEMA.parents[1]
PAGES = sorted(CATALOGUE.glob("Protocol*.md"))
WIDTH = 116
BLOCK = re.compile(
    r"(?<=^<!-- )(?P<kind>\w+): (?P<name>\S+) -->\n```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
# Numbers that differ from run to run.
TIMES = {"t", "now", "until", "deadline", "revealUntil", "bonusFrom", "winsUntil", "at", "since", "ms", "time", "spread"}
# Numbers that follow from a game's seed.
PRIZES = {"prize", "stake"}
DIGITS = {16: "id", 32: "nonce", 64: "digest"}


def blocks(kind):
    """All blocks of this kind: page, name, text."""
    return [(page, found["name"], found["text"]) for page in PAGES for found in BLOCK.finditer(page.read_text())
            if found["kind"] == kind]


def unmarked():
    """The blocks of which nothing is said, but for diagrams."""
    return [(page.name, rest.split("\n", 1)[0]) for page in PAGES
            for rest in re.findall(r"^```\w.*?^```$", BLOCK.sub("", page.read_text()), re.M | re.S)
            if not rest.startswith("```mermaid")]


def vector(name):
    """The values of a vector, by their names."""
    text = next(text for _, other, text in blocks("vector") if other == name)
    return dict(re.split(" *= ", line, maxsplit=1) for line in text.splitlines())


def rewrite(texts):
    """Puts these texts, by name, in place of the examples of their names; only those that say something else."""
    def replaced(found):
        text = texts.get(found["name"]) if found["kind"] == "example" else None
        if text is None or found["text"] and normalised(text) == normalised(found["text"]):
            return found[0]
        language = "json" if text.startswith("{") else "text"
        return f"{found['kind']}: {found['name']} -->\n```{language}\n{text}```"

    for page in PAGES:
        before = page.read_text()
        after = BLOCK.sub(replaced, before)
        if after != before:
            page.write_text(after)


def dumped(message):
    """A message as the hub writes it."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def broken(line):
    """A long line as several; a break follows a comma outside of a text."""
    parts, rows = re.findall(r'(?:"(?:[^"\\]|\\.)*"|[^",])*,?', line), [""]
    for part in parts:
        if rows[-1] and len(rows[-1] + part) > WIDTH:
            rows.append("    ")
        rows[-1] += part
    return "\n".join(rows)


def written(lines):
    """An example of these lines."""
    return "".join(broken(line) + "\n" for line in lines)


def lines(text):
    """The lines of an example, put together again."""
    return text.removesuffix("\n").replace("\n    ", "").split("\n")


def normalised(text):
    """An example without what differs from run to run: ids, digests, times, codes, faces, cards."""
    return [normalised_line(line) for line in lines(text)]


def normalised_line(line):
    head, brace, rest = line.partition("{")
    head = re.sub(r"(?<=/rooms/)[2-9a-z]{6}|(?<=/devices/)[0-9a-f]+|(?<=Bearer )[\w-]{43}", "...", head)
    if not brace:
        return head
    return head + dumped(normal(json.loads(brace + rest), None))


def normal(value, key):
    if key in ("moves", "cards", "prizes") and isinstance(value, list):
        return key
    if isinstance(value, dict):
        return normal_fields(value, key)
    if isinstance(value, list):
        return [normal(item, key) for item in value]
    if isinstance(value, str):
        return normal_text(value, key)
    if isinstance(value, int) and not isinstance(value, bool) and (key in TIMES | PRIZES or value > 10**12):
        return 0
    return 5 if key == "bonus" else value


def normal_fields(fields, key):
    """The codes of rooms are drawn; those of errors are not."""
    drawn = {"code": "room"} if "game" in fields or fields.get("type") == "room-gone" else {}
    if isinstance(fields.get("room"), str):
        drawn["room"] = "room"
    pairs = [(normal_text(name, None), drawn.get(name, normal(value, name))) for name, value in fields.items()]
    # By ids that are drawn.
    if key in ("names", "wins"):
        pairs.sort(key=lambda pair: str(pair[1]))
        return [list(pair) for pair in pairs]
    return dict(pairs)


def normal_text(text, key):
    if key in ("face", "next", "rank", "sealed"):
        return key
    if re.fullmatch("[0-9a-f]+", text) and len(text) in DIGITS:
        return DIGITS[len(text)]
    if re.fullmatch(r"[\w-]{43}", text):
        return "token"
    return re.sub(r"([0-9A-Z]{4}-){7}[0-9A-Z]{4}", "account code", text)
