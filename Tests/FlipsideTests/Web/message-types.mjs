// The types of the protocol's messages, made from its schema: writes web/net/messages.d.ts, or with --check only says
// whether it is as it should be.
import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../../", import.meta.url);
const schema = JSON.parse(readFileSync(new URL("Sources/Hub/Hub.docc/Resources/flipside.v1.schema.json", root), "utf8"));
const file = new URL("web/net/messages.d.ts", root);

/** Whose `type` is any other than those: no type can say that, and the page looks at none of their fields. */
const LEFT_OUT = ["otherCommand", "otherEvent"];
const NAMES = { client: "ClientMessage", hub: "HubMessage", event: "RecordedEvent", view: "MemoryView" };

/** `event.show-card` is `EventShowCard`. */
const nameOf = (key) => NAMES[key]
  ?? key.split(/[.-]/).map((part) => part[0].toUpperCase() + part.slice(1)).join("");
const union = (types) => [...new Set(types)].join(" | ");
const inBrackets = (type) => (type.includes(" | ") ? `(${type})` : type);

function typeOf({ $ref, const: value, enum: values, oneOf, anyOf = oneOf, type, items, properties, required = [],
  additionalProperties }) {
  if ($ref) return nameOf($ref.replace("#/$defs/", ""));
  if (value !== undefined) return JSON.stringify(value);
  if (values) return union(values.map((one) => JSON.stringify(one)));
  if (anyOf) return union(anyOf.filter(({ $ref }) => !LEFT_OUT.some((key) => $ref === `#/$defs/${key}`)).map(typeOf));
  if (Array.isArray(type)) return union(type.map((one) => typeOf({ type: one, items, properties })));
  if (type === "array") return `${inBrackets(items ? typeOf(items) : "any")}[]`;
  if (type === "integer") return "number";
  if (type !== "object") return type ?? "any";
  if (!properties) return `Record<string, ${additionalProperties ? typeOf(additionalProperties) : "any"}>`;
  const fields = Object.entries(properties).map(([name, field]) =>
    `  ${JSON.stringify(name)}${required.includes(name) ? "" : "?"}: ${typeOf(field).replaceAll("\n", "\n  ")};`);
  return `{\n${fields.join("\n")}\n}`;
}

const types = Object.entries(schema.$defs).filter(([key]) => !LEFT_OUT.includes(key)).map(([key, definition]) =>
  `${definition.description ? `/** ${definition.description} */\n` : ""}export type ${nameOf(key)} = ${typeOf(definition)};\n`);
const text = `// Made from flipside.v1.schema.json by scripts/message-types; not to be edited.\n\n${types.join("\n")}`;

if (!process.argv.includes("--check")) writeFileSync(file, text);
else if (readFileSync(file, "utf8") !== text) {
  console.error("web/net/messages.d.ts is not what the schema says: run scripts/message-types.");
  process.exit(1);
}
