import EventStore
import Games
import Logging
import Records
import Testing
import Transport

@testable import Hub
@testable import RoomRules

@Suite("The id of a hub's log") struct LogOriginTests {
    private let hub = ScriptedHub()

    /// The id in an answer.
    private func named(by hub: ScriptedHub, _ target: String = "/api/rooms") -> String? {
        hub.request("GET", target).headers[API.logField]
    }

    @Test("every answer under /api/ has it, also refusals, and no other answer does")
    func answers() {
        let code = hub.open(hub.player("Ann"))
        let id = hub.shard.surroundings.history.log?.id
        #expect(id == hub.runs.first)
        for target in ["/api/rooms", "/api/rooms/\(code)/log", "/api/players/me", "/api/rooms/nowhere", "/api/no"] {
            #expect(named(by: hub, target) == id, "\(target)")
        }
        for target in ["/healthz", "/metrics", "/"] { #expect(named(by: hub, target) == nil, "\(target)") }
    }

    @Test("it is drawn once, and another log has another")
    func drawnOnce() {
        let first = named(by: hub)
        hub.crash(downtime: 1_000)
        #expect(first != nil && named(by: hub) == first)
        #expect(named(by: ScriptedHub(seed: 2, storage: InMemoryStorage(copying: hub.storage))) == first)
        #expect(named(by: ScriptedHub(seed: 2)) != first)
        #expect(hub.storage.records(of: .hub).count { LogOrigin($0) != nil } == 1)
    }

    @Test("hubs that begin a log together agree on the first one's")
    func together() throws {
        let log = InMemoryLog()
        // After this one has read that the log has no id.
        log.putIn(.overtaken(by: LogOrigin(id: "first", at: 1).commit(expecting: StreamName.hub.start)))
        let start = try ClockStart(
            log, lastSignOfLife: nil, source: ScriptedTime(), trusting: nil, run: "second", logger: Logger(label: "hub")
        )
        #expect(start.history.log?.id == "first")
        #expect(log.storage.records(of: .hub).compactMap { LogOrigin($0)?.id } == ["first"])
    }

    @Test("if the log has lost it, it is written again")
    func lost() {
        hub.witness.isOn = false
        let id = named(by: hub)
        hub.failOver(to: InMemoryStorage())
        hub.pass(10_000)
        #expect(hub.storage.records(of: .hub).compactMap { LogOrigin($0)?.id } == [id])
        #expect(named(by: hub) == id)
    }
}

@Suite("The place of a request's token") struct TokenFieldTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// A is Ann's token, B is Ben's.
        let fields: [String]
        /// The player who asks; nil for no known player.
        let asks: String?
        let status: Int

        init(_ description: String, _ fields: [String], asks: String) {
            (testDescription, self.fields, self.asks, status) = (description, fields, asks, 200)
        }

        init(_ description: String, _ fields: [String], status: Int) {
            (testDescription, self.fields, asks, self.status) = (description, fields, nil, status)
        }
    }

    @Test(arguments: [
        Case("Authorization", ["Authorization: Bearer A"], asks: "Ann"),
        Case("a field of its own", ["X-Flipside-Token: A"], asks: "Ann"),
        Case("beside a proxy's Basic", ["Authorization: Basic YW5uOnNlY3JldA==", "X-Flipside-Token: A"], asks: "Ann"),
        Case("the hub's own field wins", ["Authorization: Bearer A", "X-Flipside-Token: B"], asks: "Ben"),
        Case("beside a proxy's Bearer", ["Authorization: Bearer nothing", "X-Flipside-Token: B"], asks: "Ben"),
        Case("not twice", ["X-Flipside-Token: A", "X-Flipside-Token: A"], status: 403),
        Case("neither", [], status: 401),
        Case("a Bearer that is no token", ["Authorization: Bearer nothing"], status: 401),
        // If `Authorization` is for a proxy, a 401 would cost the reader the password there.
        Case("Basic is no token", ["Authorization: Basic A"], status: 403),
        Case("a proxy's Basic", ["Authorization: Basic A", "X-Flipside-Token: nothing"], status: 403),
        Case("a proxy that keeps Authorization", ["X-Flipside-Token: nothing"], status: 403),
    ])
    func places(one: Case) {
        let hub = ScriptedHub()
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        let fields = one.fields.map { field in
            field.replacing(" A", with: " " + ann.token).replacing("Token: B", with: "Token: " + ben.token)
        }
        hub.witness.isOn = false
        let answer = hub.request("GET", "/api/players/me", fields: fields)
        #expect(answer.fields["name"]?.string == one.asks)
        #expect(answer.status == one.status)
        #expect((answer.headers["WWW-Authenticate"] == "Bearer") == (one.status == 401))
        #expect((answer.fields["code"] == "unknown-token") == (one.asks == nil))
    }
}
