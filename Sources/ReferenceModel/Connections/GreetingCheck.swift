import JSON

/// Compares a `welcome` or a `resume` with the room at its version.
struct GreetingCheck: PlacedCheck {
    let connection: ConnectionModel
    let room: RoomModel
    /// The log that it was made from.
    let log: RoomLog
    let message: Value
    /// The hello that it answers; nil if it came by itself.
    let hello: ConnectionModel.Hello?

    /// Most events in a resume.
    static let resumeLimit = 2_000
    private static let welcomeMembers: Set = [
        "type", "version", "head", "now", "you", "room", "view", "names", "presence", "chat", "diverged",
        "spread",
    ]
    private static let resumeMembers: Set = [
        "type", "version", "head", "now", "you", "names", "presence", "chat", "spread",
    ]
    /// Longest time that a client waits unless the hub asks for more, in ms.
    private static let usualPause = 300

    var findings: Findings { connection.findings }
    var place: String { "connection \(connection.number), room \(room.code)" }

    mutating func run(isWelcome: Bool) {
        guard let version = message["version"]?.integer, let fold = log.greet(at: version) else {
            return recordBreach(
                "an event is durable before it is shown",
                "a greeting at \(message["version"] ?? .null) of \(log.version)")
        }
        if let spread = message["spread"] {
            findings.expect(
                spread.integer ?? 0 > Self.usualPause, "a greeting only asks for longer pauses than usual", place)
        }
        let known = isWelcome ? Self.welcomeMembers : Self.resumeMembers
        for (name, _) in message.elements where !known.contains(name) {
            findings.recordBreach("a greeting has only its own members", "\(place), version \(version): \(name)")
        }
        findings.expect(
            message["head"]?.string == log.head(at: version)?.hex, "a greeting has the head at its version",
            "\(place), version \(version)")
        expect(
            version + 1 >= connection.next || hello != nil || connection.hasOther(than: log),
            "no event is shown twice on a connection",
            "a greeting at \(version) after \(connection.next - 1)")
        checkYou(fold)
        // A greeting that comes by itself has the present time.
        room.context.checkTime(
            message["now"]?.integer, from: hello?.askedAt ?? room.context.now, lead: room.lead, "\(place), a greeting")
        connection.names = [:]
        connection.learnNames(message["names"], "a greeting")
        if isWelcome { checkState(fold) } else { checkResume(version) }
        checkDiverged(isWelcome: isWelcome, version: version)
    }

    private func checkState(_ fold: RoomFold) {
        if let difference = fold.difference(from: message["room"] ?? .null) {
            findings.recordBreach(
                "a welcome has the room at its version", "\(place), version \(fold.version): \(difference)")
        }
        let view = message["view"] ?? .null
        for card in view["cells"]?.list ?? [] where card["state"] == "down" {
            expect(card.elements.count == 1, "a card that lies face down shows nothing", "\(card)")
        }
        if let expected = fold.shownView, !expected.isSame(as: view) {
            let difference = (expected.object ?? [:]).difference(from: view.object ?? [:])
            findings.recordBreach(
                "a welcome has the view at its version",
                "\(place), version \(fold.version): \(difference ?? "\(view)")")
        }
    }

    private func checkResume(_ version: Int) {
        guard let hello, let after = hello.after else {
            return recordBreach("a resume answers a hello that asked for it", "\(message)")
        }
        expect(
            after <= version && version - after <= Self.resumeLimit, "a resume has what is missing",
            "\(version) after \(after)")
        expect(
            hello.head == nil || hello.head == log.head(at: after)?.hex, "a resume continues from the given head",
            "after \(after)")
    }

    private func checkDiverged(isWelcome: Bool, version: Int) {
        let isDiverged = message["diverged"] != nil
        // It may come by itself although a hello is unanswered. A client that was shown nothing lost may be mistaken
        // for one that was.
        let mayBeLost = connection.hasOther(than: log) || !room.former.isEmpty && room.context.mayKnowLost
        if isDiverged, mayBeLost { return }
        guard let hello else {
            // Of several hellos it may answer one that asks for everything.
            return findings.expect(
                !isDiverged && (!connection.hasOther(than: log) || !connection.hellos.isEmpty),
                "diverged says that the log does not continue what was given or shown", place)
        }
        guard let after = hello.after else {
            return findings.expect(!isDiverged, "diverged says that the log does not continue what was given", place)
        }
        let fits = hello.fits(log)
        // The event that it names may have become durable after the greeting was made.
        expect(
            !(isDiverged && fits && after <= version), "diverged says that the log does not continue what was given",
            "after \(after)")
        expect(
            !isWelcome || isDiverged || fits || after > log.version || hello.head == nil,
            "diverged says that the log does not continue what was given", "after \(after), and it does not say so")
    }

    private func checkYou(_ fold: RoomFold) {
        guard let you = message["you"] else { return findings.recordBreach("a greeting says who you are", place) }
        let player = you["player"]?.string
        var expected: Fields = ["isHost": .bool(player != nil && player == fold.host)]
        if let player {
            expected["player"] = .string(player)
            expected["seat"] = fold.seat(of: player).map { .integer($0) }
        }
        if let difference = expected.difference(from: you.object ?? [:], ignoring: ["name"]) {
            findings.recordBreach("a greeting says who you are", "\(place), version \(fold.version): \(difference)")
        }
        if let hello {
            expect(
                connection.context.accounts.mayBe(player, by: hello.token),
                "a greeting is for the player whose token was given", "\(you)")
        }
        if let name = you["name"]?.string, let player {
            connection.context.accounts.shown(name, of: player, "\(place), you")
        }
    }
}
