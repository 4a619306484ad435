import Foundation
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules
@testable import flipside

/// The protocol reference, its JSON Schema and the code must match.
@Suite("The protocol reference") struct ProtocolReferenceTests {
    /// The fields of all events.
    private static let common: Set = ["v", "t", "type", "more"]
    /// Fields that all messages have besides their own.
    private static let hidden: [String: Set<String>] = ["client.": ["type", "id"], "hub.": ["type"], "event.": common]

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

    @Test("Each message and event has one heading, and below it its fields", arguments: ["client.", "hub.", "event."])
    func messagesAreDescribed(prefix: String) throws {
        let (sections, schema) = (try ProtocolPages().sections(of: prefix), try ProtocolSchema())
        #expect(sections.map(\.name).sorted() == schema.names(behind: prefix).sorted())
        for section in sections {
            // What the schema lacks is said elsewhere.
            let fields = try? schema.fields(of: prefix + section.name, without: Self.hidden[prefix] ?? [])
            #expect(
                fields == nil || section.fields == fields,
                "\(section.page): \(section.name) does not begin with its fields \(fields?.sorted() ?? [])")
        }
    }

    @Test("The reference says of each event which commits it comes in, and what it changes")
    func foldIsDescribed() throws {
        for section in try ProtocolPages().sections(of: "event.") {
            let entries = Set(section.text.matches(of: /\n- (Commit|`room`|`view`)[^\n]*:/).map { $0.output.1 })
            #expect(entries.contains("Commit"), "\(section.page): \(section.name) lacks its commits")
            #expect(entries.count > 1, "\(section.page): \(section.name) lacks what it does to `room` or `view`")
        }
    }

    @Test("The reference says which commands are the host's")
    func hostsCommandsAreNamed() throws {
        let hosts = Set(RoomCommand.ownKinds.filter { $0.isTheHosts }.map { $0.type })
        for section in try ProtocolPages().sections(of: "client.") {
            #expect(section.text.contains("host only") == hosts.contains(section.name), "\(section.name)")
        }
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
        let text = try ProtocolPages().text("ProtocolCommands").replacing("\n", with: " ")
        let sentence = try #require(
            text.firstMatch(
                of: /While a game is being dealt, (?<waits>[^;]*) wait[^;]*; (?<isRefused>[^.]*) are refused/))
        for (names, rule) in [(sentence.output.waits, WhileDealing.waits), (sentence.output.isRefused, .isRefused)] {
            let named = Set(names.matches(of: /`([a-z-]+)`/).map { String($0.output.1) })
            let kinds = Set(RoomCommand.ownKinds.filter { $0.whileDealing == rule }.map { $0.type })
            for name in kinds.subtracting(named) { Issue.record("The reference lacks that `\(name)` \(rule).") }
            for name in named.subtracting(kinds) { Issue.record("The reference says that `\(name)` \(rule).") }
        }
    }

    @Test("The reference names exactly the HTTP bodies of the schema")
    func bodiesAreNamed() throws {
        let named = try ProtocolPages().all.matches(of: /`http\.([A-Za-z]+)`/).map { String($0.output.1) }
        #expect(Set(named) == (try ProtocolSchema().names(behind: "http.")))
    }

    @Test("The reference has exactly one row for each route")
    func routesAreNamed() throws {
        var named: [String] = []
        for row in try Project.table(in: ProtocolPages.folder + "ProtocolHTTP.md", under: "## Routes") {
            // A path without a method has that of the path before: `GET /`, `/room/{code}`.
            var method = ""
            for request in row[0].matches(of: /`(?:(?<method>[A-Z]+) )?(?<path>\/[^`?]*)(?:\?[^`]*)?`/) {
                method = request.output.method.map(String.init) ?? method
                named.append("\(method) \(request.output.path)")
            }
        }
        // Clients do not need to know how much of a path the braces stand for.
        let routes = Route.all.map { "\($0.method.names[0]) \($0.path.replacing(/(?:\+|\.\.\.)}/, with: "}"))" }
        for route in routes where !named.contains(route) { Issue.record("ProtocolHTTP.md lacks `\(route)`.") }
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
        let text = try ProtocolPages().text("ProtocolFairness").replacing(/\s+/, with: " ")
        let schema = try JSONSerialization.jsonObject(with: Data(Project.text(ProtocolSchema.path).utf8))
        let definitions = try #require((schema as? [String: Any])?["$defs"] as? [String: Any])
        let reveal = try #require(definitions["reveal"] as? [String: Any])
        let nonces = try #require((reveal["properties"] as? [String: Any])?["nonces"] as? [String: Any])
        let entry = try #require(nonces["items"] as? [String: Any])
        let seals = try #require((reveal["properties"] as? [String: Any])?["seals"] as? [String: Any])
        let seal = try #require(seals["items"] as? [String: Any])
        let ofEntry = entry["required"] as? [String] ?? []
        let ofSeal = seal["required"] as? [String] ?? []
        #expect(reveal["required"] == nil && text.contains("`reveal` is `{seed?, nonces?, seals?}`"))
        #expect(text.contains("`nonces` is a list of `{\(ofEntry.joined(separator: ", "))}`"))
        #expect(text.contains("is a list of `{\(ofSeal.joined(separator: ", "))}`"))
    }

    @Test("The reference names every code of a refusal")
    func codesAreNamed() throws {
        let text = try ProtocolPages().text("ProtocolErrors")
        let refusal = #/(?:Rejection\(|\bcode:)\s*"(?<code>[a-z-]+)"/#
        var codes: Set<String> = []
        let files = FileManager.default.enumerator(atPath: Project.root + "/Sources")?.allObjects as? [String] ?? []
        for file in files where file.hasSuffix(".swift") {
            let source = try String(contentsOfFile: Project.root + "/Sources/" + file, encoding: .utf8)
            codes.formUnion(source.matches(of: refusal).map { String($0.output.code) })
        }
        #expect(codes.count > 40)
        for code in codes.sorted() where !text.contains("`\(code)`") {
            Issue.record("ProtocolErrors.md does not name `\(code)`.")
        }
    }

    @Test("Each game has a page with its name and its computers' levels", arguments: GameList.all.map { $0.name })
    func gamesAreDescribed(name: String) throws {
        let pages = try ProtocolPages().texts.values.filter { $0.contains("\nThe game `\(name)`") }
        let page = try #require(pages.first, "no page says `The game \(name)`")
        let sentence = try #require(
            page.firstMatch(of: /The levels of its computers are (?<levels>[^.;]*), the weakest first/))
        let named = sentence.output.levels.matches(of: /`([a-z0-9]+)`/).map { String($0.output.1) }
        #expect(named == GameList.all.first { $0.name == name }?.computerLevels)
        #expect(try ProtocolPages().text("ProtocolHTTP").contains("`\(name)`"), "the page of HTTP lists the games")
    }

    @Test("The schema has the options of each game, as the game takes them", arguments: GameList.all.map { $0.name })
    func optionsAreDescribed(name: String) throws {
        let (game, schema) = (try #require(GameList.all.first { $0.name == name }), try ProtocolSchema())
        let definition = try #require(schema.optionsDefinition(of: name), "`gameOptions` lacks \(name)")
        let known = try #require(throws: Rejection.self) { try game.options(["": .null]) }
        let options = try #require(known.values["options"]?.strings)
        #expect(try schema.fields(of: definition, without: []) == Set(options.map { $0 + "?" }))
        for option in options {
            let refusal = try #require(throws: Rejection.self) { try game.options([option: .null]) }
            let field = try #require(schema.field(option, of: definition))
            if let values = field["enum"]?.list {
                #expect(values.compactMap(\.string) == refusal.values["choices"]?.strings, "\(option)")
            } else if let least = field["minimum"]?.integer, let most = field["maximum"]?.integer {
                #expect([least, most] == refusal.values["range"]?.integers, "\(option)")
            } else {
                // A time has two ranges, and themes are in files.
                #expect(["turnTime", "theme"].contains(option), "\(option) has no values")
            }
        }
    }

    @Test("The hub, its schema and its page have one limit of seats")
    func seatsAreLimited() throws {
        let (limit, schema) = (RoomState.seatLimit, try ProtocolSchema())
        for definition in ["options", "askedOptions"] {
            #expect(schema.field("seats", of: definition)?["maximum"]?.integer == limit)
        }
        #expect(schema.definition("seat")?["maximum"]?.integer == limit - 1)
        #expect(schema.field("players", of: "summary")?["maxItems"]?.integer == limit)
        let colours = try Project.text("web/styles/tokens.css").matches(of: /\[data-seat="(\d+)"\]/).map(\.output.1)
        #expect(colours.compactMap { Int($0) } == Array(0..<limit))
    }

    @Test("Memory's page has the row of each theme")
    func themesAreNamed() throws {
        let rows = Theme.all.map { theme in
            let pairs =
                switch theme.pairs {
                case .all: "\(theme.faces.count)"
                case .fixed(let count): "\(count)"
                case .drawn(let range): "\(range.lowerBound) to \(range.upperBound), drawn"
                }
            return ["`\(theme.name)`", "\(theme.faces.count)", pairs]
        }
        let path = ProtocolPages.folder + "ProtocolMemory.md"
        #expect(try Project.table(in: path, under: "### Themes") == rows)
    }

    @Test("A limit that an option changes stands in the reference with its default")
    func limitsAreNamed() throws {
        let rows = try Project.table(in: ProtocolPages.folder + "ProtocolLimits.md", under: "## All limits")
        let changed = rows.filter { $0[2].hasPrefix("`--") }
        #expect(changed.count > 5)
        for row in changed {
            let option = ServeOption.all.first { "`--\($0.name)`" == row[2] }
            let number = row[1].replacing(",", with: "").prefix { $0.isNumber }
            #expect(option?.standard == String(number), "\(row)")
        }
    }

    @Test("The rules of connections are numbered without gaps, and those that are cited exist")
    func rulesAreNumbered() throws {
        let pages = try ProtocolPages()
        let rules = try pages.text("ProtocolConnection").matches(of: #/\n- \*\*R(\d+)\*\* /#)
            .map { String($0.output.1) }
        let numbers = (1...rules.count).map { String($0) }
        #expect(rules == numbers)
        // An example may have a code with such a part.
        let text = pages.all.replacing(/(?s)```.*?```/, with: "")
        for cited in text.matches(of: /\bR(\d+)\b/) {
            #expect(rules.contains(String(cited.output.1)), "there is no rule \(cited.output.0)")
        }
    }
}
