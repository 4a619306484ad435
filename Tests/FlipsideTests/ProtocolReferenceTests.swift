import Foundation
import Testing

/// The protocol reference's JSON Schema against what is really said: neither may have what the other has not.
@Suite("The protocol reference") struct ProtocolReferenceTests {
    private static let catalogue = Script.root + "/Sources/Hub/Hub.docc"
    private static let schema = catalogue + "/Resources/flipside.v1.schema.json"

    @Test("All that clients and a hub say fits the schema, and all of the schema is said")
    func trafficFits() throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/traffic.ndjson"
        try Script.run(.python, "Clients/traffic.py", [Script.binary, Script.root + "/web", file])
        let said = try Script.run(.python, "Support/check_schema.py", [Self.schema, file])
        #expect(said.contains(#""never": []"#), "\(said)")
    }

    @Test(
        "A field too many, one too few and a wrong type are found",
        arguments: [
            #"{"type": "pong", "n": 1, "now": 1, "seed": "00"}"#, #"{"type": "pong", "n": 1}"#,
            #"{"type": "pong", "n": "1", "now": 1}"#, #"{"type": "tell-all"}"#,
            #"{"v": 1, "t": 1, "type": "show-card", "cell": 0, "seat": 0, "face": ""}"#,
        ])
    func violationsAreFound(_ message: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/traffic.ndjson"
        try #"{"direction": "hub", "message": \#(message)}"#.write(toFile: file, atomically: true, encoding: .utf8)
        let checker = Script.root + "/Tests/FlipsideTests/Support/check_schema.py"
        let result = try Script.launch(Script.root + "/.build/venv/bin/python", [checker, Self.schema, file])
        #expect(result.status == 1)
        #expect(result.output.hasPrefix("line 1: "), "\(result.output)")
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

    @Test("The reference names every code with which anything is refused")
    func codesAreNamed() throws {
        let text = try String(contentsOfFile: Self.catalogue + "/Protocol.md", encoding: .utf8)
        let refusal = #/(?:Rejection\(|\bcode:)\s*"(?<code>[a-z-]+)"/#
        var codes: Set<String> = []
        let files = FileManager.default.enumerator(atPath: Script.root + "/Sources")?.allObjects as? [String] ?? []
        for file in files where file.hasSuffix(".swift") {
            let source = try String(contentsOfFile: Script.root + "/Sources/" + file, encoding: .utf8)
            codes.formUnion(source.matches(of: refusal).map { String($0.output.code) })
        }
        #expect(codes.count > 40)
        for code in codes.sorted() where !text.contains("`\(code)`") {
            Issue.record("Protocol.md does not name `\(code)`.")
        }
    }
}
