import JSON

/// What a hub's release lacks that others of the cluster have.
public struct NodeRelease: Sendable, Equatable {
    /// Types of rooms' events that it cannot read.
    public let events: Set<String>
    /// Games that it does not have.
    public let games: Set<String>

    /// The newest release lacks nothing.
    public init(events: Set<String> = [], games: Set<String> = []) { (self.events, self.games) = (events, games) }
}

/// What nodes lack that serve, or served recently, next to others.
struct ReleasesModel {
    static let rule = "older-node is only said while one serves"

    /// For older runs.
    private var older: [String: NodeRelease] = [:]
    private(set) var serving: [String: NodeRelease] = [:]
    /// Those that have left, and when, by the hub's clock.
    private(set) var gone: [(release: NodeRelease, at: Int)] = []

    mutating func runStarted(_ run: String, lacking release: NodeRelease) {
        if release != NodeRelease() { older[run] = release }
    }

    /// Exactly these runs serve at `time`.
    mutating func serve(_ runs: [String], at time: Int) {
        guard !older.isEmpty else { return }
        let before = serving
        serving = older.filter { runs.contains($0.key) }
        for (run, release) in before where serving[run] == nil { gone.append((release, time)) }
    }
}

extension ModelContext {
    /// How long others may not know that a node has left, in ms.
    private static let noticing = 10_000

    func mayLack(event: String, since time: Int) -> Bool { mayLack(since: time) { $0.events.contains(event) } }
    func mayLack(game: String, since time: Int) -> Bool { mayLack(since: time) { $0.games.contains(game) } }

    /// Whether a node lacks something that has served since then, or may be thought to.
    private func mayLack(since time: Int, _ something: (NodeRelease) -> Bool) -> Bool {
        if releases.serving.values.contains(where: something) { return true }
        return releases.gone.contains { release, at in
            // A node that was hindered since then does not know it yet.
            let known = hinderedSince <= at + Self.noticing ? max(at, hinderedAt) : at
            return time <= known + Self.noticing && something(release)
        }
    }

    /// Checks that every node that may continue the room can read this commit.
    func checkRelease(_ events: [LoggedEvent]) {
        guard !releases.serving.isEmpty else { return }
        for json in events.compactMap({ Value.read($0.shown) }) {
            let (type, game) = (json["type"]?.string ?? "", json["game"]?.string ?? "")
            findings.expect(
                !releases.serving.values.contains { $0.events.contains(type) || $0.games.contains(game) },
                "every serving node can read what is written",
                "\(json), next to \(releases.serving.keys.sorted())")
        }
    }
}
