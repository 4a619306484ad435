import Cryptography
import EventStore
import Games
import Testing

@testable import Hub

@Suite("Nothing secret leaves the hub") struct SecrecyTests {
    @Test(
        "no seed before its reveal, no token and no face before its card was shown",
        arguments: 1...3 as ClosedRange<UInt64>)
    func wholeGames(seed: UInt64) throws {
        let table = Table(seed: seed, ["columns": .integer(4), "rows": .integer(4), "theme": "numbers"])
        let choice = SeededRandom(seed)
        var game = 1
        var leaks = Leaks(table)
        for step in 0..<150 {
            if table.state.phase == .ended {
                guard game < 2 else { break }
                game += 1
                table.annPage.command("again")
            }
            leaks.look(table)
            table.mover.command("flip", ["cell": .integer(choice.number(below: 16))])
            if step.isMultiple(of: 3) { table.hub.pass(1_000) }
            if step.isMultiple(of: 7) {
                let after = choice.number(below: table.state.version + 1)
                _ = table.hub.join(table.code, step.isMultiple(of: 2) ? table.ann : nil, after: after)
                _ = table.hub.join(table.code)
                _ = table.hub.request("GET", "/api/rooms/\(table.code)/log?after=\(after)")
                for path in ["/api/rooms", "/api/rooms/\(table.code)", "/metrics", "/readyz", "/api/rooms/none"] {
                    _ = table.hub.request("GET", path)
                }
            }
        }
        leaks.look(table)
        #expect(leaks.looked > 80, "the search saw too little to mean anything")
    }
}

/// Searches everything that has left the hub since the last look.
private struct Leaks {
    private(set) var looked = 0
    private var frames = 0
    private var answers = 0

    init(_ table: Table) {}

    mutating func look(_ table: Table) {
        let sent = table.hub.sent.frames[frames...] + table.hub.sent.http[answers...]
        (frames, answers) = (table.hub.sent.frames.count, table.hub.sent.http.count)
        let state = table.state
        let secrets =
            [table.ann.token, table.ben.token]
            + [state.seed?.bytes.map(\.hex), state.seedOfNewestGame?.hex].compactMap(\.self)
        for bytes in sent {
            looked += 1
            let text = String(decoding: bytes, as: UTF8.self)
            for secret in secrets { #expect(!text.contains(secret)) }
            lookForFaces(bytes, state)
        }
    }

    /// Whatever links a cell to a face, in a view or in an event, is of a card that has been shown.
    private func lookForFaces(_ bytes: [UInt8], _ state: RoomState) {
        guard let value = anyJSON(bytes) else { return }
        let shown = state.gameView?["cells"]?.list ?? []
        walk(value) { fields in
            if fields["type"] != nil { return }
            guard let side = fields["state"]?.string else { return }
            #expect((fields["face"] == nil) == (side == "down" || side == "gap"))
        }
        #expect(!shown.isEmpty)
    }

    private func anyJSON(_ bytes: [UInt8]) -> Value? {
        (0..<min(11, bytes.count)).lazy.compactMap { try? JSONReader.read(Array(bytes.dropFirst($0))) }.first
    }

    private func walk(_ value: Value, _ visit: (Fields) -> Void) {
        switch value {
        case .object(let fields):
            visit(fields)
            for value in fields.values { walk(value, visit) }
        case .list(let values): for value in values { walk(value, visit) }
        default: break
        }
    }
}
