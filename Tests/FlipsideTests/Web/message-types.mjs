// Derives from the definitions of the protocol's schema: its lists of all messages, the fields of `room` in the
// reference, and the page's types. Writes them into the schema, ProtocolMessages.md and web/net/messages.d.ts; with
// --check it only says whether they are current.
import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);
const files = {
  schema: new URL("Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json", root),
  reference: new URL("Sources/Hub/Hub.docc/ProtocolMessages.md", root),
  types: new URL("web/net/messages.d.ts", root),
};
const written = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, readFileSync(file, "utf8")]));
const named = Object.keys(JSON.parse(written.schema).$defs);
const behind = (prefix) => named.filter((key) => key.startsWith(prefix));

/** `items` in lines of 120 columns, indented. */
function lines(items, indent) {
  const rows = [];
  for (const item of items) {
    const longer = `${rows.at(-1)}, ${item}`;
    if (rows.length > 0 && longer.length <= 119) rows[rows.length - 1] = longer; else rows.push(indent + item);
  }
  return rows.join(",\n");
}

/** The schema with `items` in the list called `list` of the definition of `key`, replacing its items. */
function withList(text, key, list, items) {
  const place = new RegExp(`(^    "${key}": \\{[^]*?"${list}": \\[\\n)( +)[^\\]]*?(\\n +\\])`, "m");
  if (!place.test(text)) throw new Error(`The schema's ${key} has no ${list}.`);
  return text.replace(place, (_, start, indent, end) => start + lines(items, indent) + end);
}

const references = (keys) => keys.map((key) => `{ "$ref": "#/$defs/${key}" }`);
const names = (keys) => keys.map((key) => JSON.stringify(key.replace(/^[a-z]+\./, "")));
const text = [
  ["client", "oneOf", references([...behind("client."), "otherCommand"])],
  ["hub", "oneOf", references([...behind("hub."), "event"])],
  ["event", "oneOf", references([...behind("event."), "otherEvent"])],
  ["otherCommand", "enum", names(behind("client."))], ["otherEvent", "enum", names(behind("event."))],
].reduce((before, [key, list, items]) => withList(before, key, list, items), written.schema);
const schema = JSON.parse(text);

/** No type can express these: messages with any other `type`, whose fields the page does not read, and conditions. */
const LEFT_OUT = ["otherCommand", "otherEvent", "gameOptions"];
const NAMES = { client: "ClientMessage", hub: "HubMessage", event: "RecordedEvent" };

/** `event.show-card` is `EventShowCard`. */
const nameOf = (key) => NAMES[key]
  ?? key.split(/[.-]/).map((part) => part[0].toUpperCase() + part.slice(1)).join("");
const union = (types) => [...new Set(types)].join(" | ");
const inBrackets = (type) => (type.includes(" | ") ? `(${type})` : type);

function typeOf({ $ref, const: value, enum: values, type, oneOf, anyOf = oneOf, allOf, items, properties,
  required = [], additionalProperties }) {
  if ($ref) return nameOf($ref.replace("#/$defs/", ""));
  if (value !== undefined) return JSON.stringify(value);
  if (values) return union(values.map((one) => JSON.stringify(one)));
  // Next to a type it narrows values, which types do not express.
  if (anyOf && !type) return union(anyOf.filter(({ $ref }) => !LEFT_OUT.some((key) => $ref === `#/$defs/${key}`)).map(typeOf));
  if (allOf && !type) return allOf.map(typeOf).join(" & ");
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ type: one, items, properties })));
  if (type === "array") return `${inBrackets(items ? typeOf(items) : "any")}[]`;
  if (type === "integer") return "number";
  if (type !== "object") return type ?? "any";
  if (!properties) return `Record<string, ${additionalProperties ? typeOf(additionalProperties) : "any"}>`;
  const fields = Object.entries(properties).map(([name, field]) =>
    `  ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field).replaceAll("\n", "\n  ")};`);
  // Fields of any name: their type has to include that of the fields above, which may be missing.
  if (additionalProperties?.type) fields.push(`  [name: string]: ${typeOf(additionalProperties)} | undefined;`);
  return `{\n${fields.join("\n")}\n}`;
}

/** The reference with the fields of the definition of `key` after "`key` is", on their own lines. */
function withFields(text, key) {
  const { properties, required } = schema.$defs[key];
  const fields = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  const place = new RegExp(`(\`${key}\` is\\n\`)\\{[^}]*\\}`);
  if (!place.test(text)) throw new Error(`ProtocolMessages.md does not say what \`${key}\` is.`);
  return text.replace(place, (_, start) => `${start}{${lines(fields, "")}}`);
}

/** The type of a definition. A room's options are never null: the type of those in requests is `AskedOptions`. */
const typeFor = (key) => (key.endsWith("Options") && key !== "askedOptions"
  ? typeOf(schema.$defs[key]).replaceAll(" | null", "") : typeOf(schema.$defs[key]));

const types = Object.entries(schema.$defs).filter(([key]) => !LEFT_OUT.includes(key)).map(([key, { description }]) =>
  `${description ? `/** ${description} */\n` : ""}export type ${nameOf(key)} = ${typeFor(key)};\n`);
const made = {
  schema: text,
  reference: ["you", "room"].reduce(withFields, written.reference),
  types: `// Made from flipside.v1.schema.json by scripts/message-types; not to be edited.\n\n${types.join("\n")}`,
};

const wrong = Object.keys(files).filter((name) => made[name] !== written[name]);
if (!process.argv.includes("--check")) for (const name of wrong) writeFileSync(files[name], made[name]);
else if (wrong.length > 0) {
  console.error(`Not what the schema's definitions say: ${wrong.join(", ")}. Run scripts/message-types.`);
  process.exit(1);
}
