import Foundation
import Testing

/// The protocol reference, its JSON Schema and the code: none may have what the others have not.
@Suite("The protocol reference") struct ProtocolReferenceTests {
    private static let catalogue = Project.root + "/Sources/Hub/Hub.docc"
    private static let schema = catalogue + "/Resources/flipside.v1.schema.json"

    @Test("Of another game is what is called as nothing that is described", arguments: ["Command", "Event"])
    func othersAreOthers(kind: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: Self.schema))
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let definitions = try #require(schema["$defs"] as? [String: Any])
        func part(_ whole: Any?, _ name: String) -> Any? { (whole as? [String: Any])?[name] }
        let type = part(part(definitions["other" + kind], "properties"), "type")
        let named = try #require(part(part(type, "not"), "enum") as? [String])
        let prefix = kind == "Command" ? "client." : "event."
        let described = definitions.keys.filter { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
        #expect(named.sorted() == described.sorted())
    }

    @Test("The reference names every message and event of the schema")
    func referenceIsComplete() throws {
        let text = try String(contentsOfFile: Self.catalogue + "/Protocol.md", encoding: .utf8)
        let schema = try String(contentsOfFile: Self.schema, encoding: .utf8)
        let definition = #/^    "(client|hub|event)\.(?<name>[a-z-]+)": \{/#.anchorsMatchLineEndings()
        let names = schema.matches(of: definition).map { String($0.output.name) }
        #expect(names.count > 30)
        for name in names where !text.contains("`\(name)") { Issue.record("Protocol.md does not name `\(name)`.") }
    }

    @Test("The reference says what opens the commitments, as the schema has it")
    func revealIsShaped() throws {
        let text = try String(contentsOfFile: Self.catalogue + "/Protocol.md", encoding: .utf8)
        let schema = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: Self.schema)))
        let definitions = try #require((schema as? [String: Any])?["$defs"] as? [String: Any])
        let reveal = try #require(definitions["reveal"] as? [String: Any])
        let nonces = try #require((reveal["properties"] as? [String: Any])?["nonces"] as? [String: Any])
        let entry = try #require(nonces["items"] as? [String: Any])
        let (fields, ofEntry) = (reveal["required"] as? [String] ?? [], entry["required"] as? [String] ?? [])
        #expect(text.contains("`reveal` is `{\(fields.joined(separator: ", "))}`"))
        #expect(text.contains("`nonces` is a list of `{\(ofEntry.joined(separator: ", "))}`"))
    }

    @Test("The reference names every code with which anything is refused")
    func codesAreNamed() throws {
        let text = try String(contentsOfFile: Self.catalogue + "/Protocol.md", encoding: .utf8)
        let refusal = #/(?:Rejection\(|\bcode:)\s*"(?<code>[a-z-]+)"/#
        var codes: Set<String> = []
        let files = FileManager.default.enumerator(atPath: Project.root + "/Sources")?.allObjects as? [String] ?? []
        for file in files where file.hasSuffix(".swift") {
            let source = try String(contentsOfFile: Project.root + "/Sources/" + file, encoding: .utf8)
            codes.formUnion(source.matches(of: refusal).map { String($0.output.code) })
        }
        #expect(codes.count > 40)
        for code in codes.sorted() where !text.contains("`\(code)`") {
            Issue.record("Protocol.md does not name `\(code)`.")
        }
    }
}
