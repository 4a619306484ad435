import Games
import JSON
import RoomRules

/// A preview of a room from its row. Anyone who has its code may see it, since they may also watch. A closed room only
/// shows its game.
struct RoomPreview {
    let code: String
    private let title: String
    private let phase: RoomState.Phase
    private let host: PlayerID
    private let players: [PlayerID]
    private let taken: Int
    private let all: Int
    /// Whether its host has a seat and anyone is connected.
    private let isHostWaiting: Bool

    /// `present` is how many of its host and players are connected. Nil for a damaged row.
    init?(_ row: RoomRow, present: Int, games: GameCatalog, in texts: PreviewTexts) {
        // Every row was written by a room.
        guard let summary = (try? JSONReader.read(row.summary))?.object,
            let name = summary["game"]?.string, let game = games.game(named: name),
            let phase = summary["status"]?.string.flatMap({ RoomState.Phase(rawValue: $0) }),
            let seats = summary["seats"]?.object
        else { return nil }
        self.phase = phase
        code = row.code
        title = game.title(options: summary["options"]?.object ?? [:], in: texts)
        host = summary["host"]?.string ?? ""
        players = row.players
        isHostWaiting = present > 0 && row.players.contains(host)
        (taken, all) = (seats["taken"]?.integer ?? 0, seats["all"]?.integer ?? 0)
    }

    /// The players whose names it shows; none if the room is closed.
    var named: [PlayerID] { phase == .closed ? [] : Array(Set(players)).sorted() }

    func room(names: [PlayerID: String], in texts: PreviewTexts) -> Preview {
        let isMany = players.count > 1
        let (title, description, shown): (String, String, [PlayerID]) =
            switch phase {
            case .unopened, .closed: (texts.closed, texts.openOwn, [])
            case .waiting where taken < all && isHostWaiting: (texts.waits, texts.seats, [host])
            case .waiting where taken < all: (texts.seatsFree, texts.seats, [])
            case .waiting: (isMany ? texts.beginsMany : texts.begins, texts.full, players)
            case .dealing, .running: (isMany ? texts.playsMany : texts.plays, texts.watch, players)
            case .ended: (isMany ? texts.hasPlayedMany : texts.hasPlayed, texts.over, players)
            }
        return preview(title, description, path: "/room/" + code, shown, names, texts)
    }

    func replay(names: [PlayerID: String], in texts: PreviewTexts) -> Preview {
        let title = phase == .closed || players.isEmpty ? texts.replayOfGame : texts.replay
        return preview(title, texts.seeAgain, path: "/replay/" + code, players, names, texts)
    }

    private func preview(
        _ title: String, _ description: String, path: String, _ shown: [PlayerID], _ names: [PlayerID: String],
        _ texts: PreviewTexts
    ) -> Preview {
        let people = shown.filter { !RoomState.isComputer($0) }
        let list = texts.list(
            people.enumerated().map { index, player in
                names[player].map { isolated($0) } ?? (index == 0 ? texts.someone : texts.someone.lowercased())
            },
            computers: shown.count - people.count)
        let values = ["names": list, "game": self.title, "taken": "\(taken)", "all": "\(all)"]
        return Preview(
            title: PreviewTexts.fill(title, values), description: PreviewTexts.fill(description, values), path: path)
    }
}

extension Game {
    fileprivate static func title(options: Fields, in texts: PreviewTexts) -> String {
        let title = titles[texts.language] ?? titles["en"] ?? name
        return board(options).map { "\(title) \($0.columns) × \($0.rows)" } ?? title
    }
}

/// Isolates a name that runs in another direction than the words around it. The page's `texts.js` does the same.
private func isolated(_ name: String) -> String {
    let plain = String(String.UnicodeScalarView(name.unicodeScalars.filter { !turns($0) }))
    return plain.unicodeScalars.contains(where: runsFromRight) ? "\u{2068}\(plain)\u{2069}" : plain
}

/// Whether it changes the direction of text until something ends that.
private func turns(_ scalar: UnicodeScalar) -> Bool {
    ("\u{202A}"..."\u{202E}").contains(scalar) || ("\u{2066}"..."\u{2069}").contains(scalar)
}

private func runsFromRight(_ scalar: UnicodeScalar) -> Bool {
    switch scalar {
    case "\u{0590}"..."\u{08FF}", "\u{200F}", "\u{FB1D}"..."\u{FDFF}", "\u{FE70}"..."\u{FEFC}",
        "\u{10800}"..."\u{10FFF}", "\u{1E800}"..."\u{1EFFF}":
        true
    default: false
    }
}
