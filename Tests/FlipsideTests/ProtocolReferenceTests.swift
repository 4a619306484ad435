import Foundation
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules

/// The protocol reference, its JSON Schema and the code must match.
@Suite("The protocol reference") struct ProtocolReferenceTests {
    private static let catalogue = Project.root + "/Sources/Hub/Hub.docc"
    private static let reference = "Sources/Hub/Hub.docc/Protocol.md"
    /// The fields of all events.
    private static let common: Set = ["v", "t", "type", "more"]
    private static let schema = catalogue + "/Resources/flipside.v1.schema.json"

    private static let ownEvents = RoomEvent.ownKinds.map { $0.type }
    private static let ownCommands = RoomCommand.ownKinds.map { $0.type }

    /// Everything that can be sent to a hub with the games of the list, and everything that it sends.
    private static let messages: [(prefix: String, names: [String])] = [
        (
            "client.",
            ClientMessageKind.allCases.map(\.rawValue) + ownCommands
                + ChatMessageKind.allCases.map(\.rawValue) + GameList.all.flatMap { $0.commandTypes }
        ),
        ("hub.", HubMessageKind.allCases.map(\.rawValue)),
        ("event.", ownEvents + GameList.all.flatMap { $0.eventTypes }),
    ]

    @Test("The schema describes exactly the messages and events of the hub", arguments: messages)
    func schemaIsComplete(prefix: String, names: [String]) throws {
        let described = try ProtocolSchema().names(behind: prefix)
        for name in Set(names).subtracting(described).sorted() {
            Issue.record("The schema lacks the definition of \(prefix)\(name).")
        }
        for name in described.subtracting(names).sorted() {
            Issue.record("No code knows \(prefix)\(name). A room's own kinds are listed in `ownKinds`.")
        }
    }

    @Test("The reference names every message with its fields", arguments: ["client.", "hub."])
    func messagesAreNamed(prefix: String) throws {
        let (text, schema) = (try Project.text(Self.reference), try ProtocolSchema())
        // `sit {seat?, commitment?}`, or `leave` without fields.
        let written = text.matches(of: /`(?<name>[a-z-]+)(?: \{(?<fields>[^}`]*)\})?`/).map {
            // For an error, only the fields that all errors have are listed.
            (
                $0.output.name,
                Set(($0.output.fields ?? "").split(separator: ", ").map(String.init).filter { $0 != "..." })
            )
        }
        for name in schema.names(behind: prefix).sorted() {
            let fields = try schema.fields(of: prefix + name, without: prefix == "hub." ? ["type"] : ["type", "id"])
            let isThere = written.contains { $0.0 == name && $0.1 == fields }
            #expect(isThere, "Protocol.md lacks `\(name)` with the fields \(fields.sorted())")
        }
    }

    @Test("The reference has a row for every event, with its fields")
    func eventsAreNamed() throws {
        let schema = try ProtocolSchema()
        var rows: [String: Set<String>] = [:]
        for row in try Project.table(in: Self.reference, under: "## Events") {
            let names = row[0].matches(of: /`([a-z-]+)`/).map { String($0.output.1) }
            let fields = row[1].split(separator: ", ").flatMap { field in
                // "as `game-started`"
                field.firstMatch(of: /as `([a-z-]+)`/).map {
                    (try? schema.fields(of: "event.\($0.output.1)", without: Self.common)) ?? []
                } ?? [String(field)]
            }
            for name in names { rows[name] = Set(fields) }
        }
        for name in schema.names(behind: "event.").union(Self.ownEvents).sorted() {
            // Fields that the schema lacks are described elsewhere.
            let fields = try? schema.fields(of: "event." + name, without: Self.common)
            #expect(
                rows[name] != nil && rows[name] == fields ?? rows[name],
                "Protocol.md lacks the row of `\(name)` with the fields \(fields?.sorted() ?? [])")
        }
        #expect(Set(rows.keys).subtracting(schema.names(behind: "event.")).isEmpty)
    }

    @Test("A room's event is read and written as in the schema", arguments: ownEvents)
    func eventsAreCoded(type: String) throws {
        for sample in try ProtocolSchema().samples(of: "event." + type) {
            var fields = sample
            for name in Self.common { fields[name] = nil }
            let event = try #require(RoomEvent(type: type, fields: fields, sealed: nil), "not read: \(fields)")
            #expect(event.type == type)
            #expect(Value.object(event.fields).sorted == Value.object(fields).sorted)
        }
    }

    @Test("A room's command is read as in the schema", arguments: ownCommands)
    func commandsAreRead(type: String) throws {
        for sample in try ProtocolSchema().samples(of: "client." + type) {
            var fields = sample
            for name in ["type", "id"] { fields[name] = nil }
            #expect(try RoomCommand(type: type, fields: fields, game: nil) != nil)
        }
    }

    @Test("The reference lists the commands that wait while a game is dealt, and those that are refused")
    func waitingIsNamed() throws {
        let text = try Project.text(Self.reference).replacing("\n", with: " ")
        let sentence = try #require(
            text.firstMatch(
                of: /While a game is being dealt, (?<waits>[^;]*) wait[^;]*; (?<isRefused>[^.]*) are refused/))
        for (names, rule) in [(sentence.output.waits, WhileDealing.waits), (sentence.output.isRefused, .isRefused)] {
            let named = Set(names.matches(of: /`([a-z-]+)`/).map { String($0.output.1) })
            let kinds = Set(RoomCommand.ownKinds.filter { $0.whileDealing == rule }.map { $0.type })
            for name in kinds.subtracting(named) { Issue.record("Protocol.md does not say that `\(name)` \(rule).") }
            for name in named.subtracting(kinds) { Issue.record("Protocol.md says that `\(name)` \(rule).") }
        }
    }

    @Test("The reference names exactly the HTTP bodies of the schema")
    func bodiesAreNamed() throws {
        let named = try Project.text(Self.reference).matches(of: /`http\.([A-Za-z]+)`/).map { String($0.output.1) }
        #expect(Set(named) == (try ProtocolSchema().names(behind: "http.")))
    }

    @Test("The reference has exactly one row for each route")
    func routesAreNamed() throws {
        var named: [String] = []
        for row in try Project.table(in: Self.reference, under: "## HTTP") {
            // A path without a method has that of the previous path: `GET /`, `/room/{code}`.
            var method = ""
            for request in row[0].matches(of: /`(?:(?<method>[A-Z]+) )?(?<path>\/[^`?]*)(?:\?[^`]*)?`/) {
                method = request.output.method.map(String.init) ?? method
                named.append("\(method) \(request.output.path)")
            }
        }
        // Clients do not need to know how much of a path the braces stand for.
        let routes = Route.all.map { "\($0.method.names[0]) \($0.path.replacing(/(?:\+|\.\.\.)}/, with: "}"))" }
        for route in routes where !named.contains(route) { Issue.record("Protocol.md lacks the row of `\(route)`.") }
        for name in named where !routes.contains(name) { Issue.record("Route+All.swift lacks `\(name)`.") }
        if Set(named) == Set(routes) { #expect(named == routes, "both in one order, each route once") }
    }

    @Test("The page folds every event of a room and has a text for it", arguments: ownEvents)
    func pageKnows(type: String) throws {
        // A replay starts with the first event, which needs no fold.
        if type != RoomOpened.type {
            let isFolded = try ["room", "proposals"].contains { name in
                try Project.text("web/games/\(name).js").contains("case \"\(type)\":")
            }
            #expect(isFolded, "neither web/games/room.js nor proposals.js folds \(type)")
        }
        let hasWords = try Project.text("web/texts/en.js").contains("\"event.\(type)")
        #expect(hasWords, "web/texts/en.js has no event.\(type)")
    }

    @Test("The reference describes what opens the commitments, as in the schema")
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

    @Test("The reference names every code of a refusal")
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
