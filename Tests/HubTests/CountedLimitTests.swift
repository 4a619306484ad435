import EventStore
import Games
import JSON
import Testing
import WebProtocols

@testable import Hub
@testable import Rooms

/// Each of the hub's own limits in `flipside_limits_total`, reached and exceeded by one. `ProtocolLimits.md`
/// has the results. Those of the transport are in its own `CountedLimitTests`.
@Suite("Counted limits") struct CountedLimitTests {
    @Test(
        "reaching a limit is fine, and exceeding it is counted under its name and answered as documented",
        arguments: LimitCase.all)
    func limits(_ one: LimitCase) {
        let hub = ScriptedHub(pace: one.pace, limits: .with(one.change))
        let goPast = one.reach(hub)
        #expect(counted(by: hub) == one.besides)
        #expect(goPast() == one.answer)
        #expect(counted(by: hub) == one.besides.union([one.limit]))
    }

    @Test("every limit is tested")
    func all() { #expect(Set(LimitCase.all.map(\.limit)) == Set(HubLimit.allCases)) }

    private func counted(by hub: ScriptedHub) -> Set<HubLimit> {
        Set(HubLimit.allCases.filter { hub.counters.limits[$0.rawValue] > 0 })
    }
}

/// A limit, made small where possible, and how to reach it.
struct LimitCase: CustomTestStringConvertible, Sendable {
    /// The answer beyond the limit; nil if nothing says so.
    enum Answer: Equatable, Sendable {
        /// Over HTTP.
        case refused(Int, code: String)
        /// Over a WebSocket, which stays open.
        case error(code: String)
        case closed(CloseCode)
    }

    let limit: HubLimit
    let answer: Answer
    /// Limits that are exceeded on the way.
    let besides: Set<HubLimit>
    let pace: InMemoryLog.Pace
    let change: @Sendable (inout HubLimits) -> Void
    /// Goes up to the limit, and returns what exceeds it by one.
    let reach: @Sendable (ScriptedHub) -> () -> Answer?

    var testDescription: String { limit.rawValue }

    init(
        _ limit: HubLimit, _ answer: Answer, besides: Set<HubLimit> = [], pace: InMemoryLog.Pace = .automatic,
        with change: @escaping @Sendable (inout HubLimits) -> Void = { _ in },
        reach: @escaping @Sendable (ScriptedHub) -> () -> Answer?
    ) {
        (self.limit, self.answer, self.besides, self.pace) = (limit, answer, besides, pace)
        (self.change, self.reach) = (change, reach)
    }

    static let all = ofMessages + ofTimes + ofPlaces + ofPlayers

    private static let ofMessages = [
        LimitCase(.messagesPerSecond, .error(code: "too-fast"), with: { $0.messagesPerSecond = 1 }) { hub in
            let page = hub.lobby()
            ping(page, times: 2)
            return { ping(page) }
        },
        LimitCase(
            .refusalsPerSecond, .closed(.policyViolation), besides: [.messagesPerSecond],
            with: { ($0.messagesPerSecond, $0.refusalsPerSecond) = (1, 1) }
        ) { hub in
            let page = hub.lobby()
            ping(page, times: 2 + 2)
            return { ping(page) }
        },
        LimitCase(.hellosPerSecond, .error(code: "too-fast"), with: { $0.hellosPerSecond = 1 }) { hub in
            let page = hub.join(hub.open(hub.player("Ann")))
            page.say(["type": "hello"])
            return { page.hears { $0.say(["type": "hello"]) } }
        },
        LimitCase(.commandsPerSecond, .error(code: "too-fast"), with: { $0.commandsPerSecond = 1 }) { hub in
            let ann = hub.player("Ann")
            let page = hub.join(hub.open(ann), ann)
            for _ in 0..<5 { for command in ["sit", "leave"] { page.command(command) } }
            return { page.hears { $0.command("sit") } }
        },
        LimitCase(.linesPerSecond, .error(code: "too-fast"), with: { $0.linesPerSecond = 1 }) { hub in
            let ann = hub.player("Ann")
            let page = hub.join(hub.open(ann), ann)
            for _ in 0..<2 { page.command("react", ["emoji": "🎉"]) }
            return { page.hears { $0.command("react", ["emoji": "🎉"]) } }
        },
        LimitCase(.earlyMessages, .closed(.policyViolation), with: { $0.earlyMessages = 2 }) { hub in
            let ann = hub.player("Ann")
            let page = hub.connect(hub.open(ann))
            page.say(["type": "hello", "token": .string(ann.token)], settling: false)
            for _ in 0..<2 { page.command("sit", settling: false) }
            return { page.hears { $0.command("sit", settling: false) } }
        },
        LimitCase(.values, .error(code: "bad-json")) { hub in
            let page = hub.lobby()
            // These include the object and its other two values.
            let most = [Value](repeating: .null, count: JSONReader.clientValueLimit - 4)
            page.say(["type": "ping", "n": 1, "more": .list(most)])
            return { page.hears { $0.say(["type": "ping", "n": 1, "more": .list(most + [.null])]) } }
        },
        LimitCase(.waitingCommands, .error(code: "busy"), pace: .stepped) { hub in
            let ann = hub.player("Ann")
            let page = hub.join(hub.open(ann), ann)
            // One is under way.
            for _ in 0...RequestQueue.limit { page.command("sit", settling: false) }
            return { page.hears { $0.command("sit", settling: false) } }
        },
        LimitCase(.owedAnswers, .closed(.tryAgainLater)) { hub in
            let page = stuckPage(in: hub)
            ping(page, times: Member.owedLimit)
            return { ping(page) }
        },
    ]

    private static let ofTimes = [
        LimitCase(.helloTime, .closed(.policyViolation)) { hub in
            let page = hub.connect(hub.open(hub.player("Ann")))
            hub.pass(Member.helloLimit)
            return { page.hears { _ in hub.pass(Shard.sweepPause) } }
        },
        LimitCase(.behindTime, .closed(.tryAgainLater)) { hub in
            let page = stuckPage(in: hub)
            hub.pass(Member.behindLimit)
            return { page.hears { _ in hub.pass(2 * Shard.sweepPause) } }
        },
    ]

    private static let ofPlaces = [
        LimitCase(.membersPerRoom, .closed(.tryAgainLater), with: { $0.membersPerRoom = 1 }) { hub in
            let code = hub.open(hub.player("Ann"))
            _ = hub.connect(code)
            return { hub.connect(code).answer }
        },
        LimitCase(.lobbyMembers, .closed(.tryAgainLater), with: { $0.lobbyMembers = 1 }) { hub in
            _ = hub.lobby()
            return { hub.lobby().answer }
        },
        LimitCase(.awakeRooms, .closed(.tryAgainLater), with: { $0.awakeRooms = 1 }) { hub in
            let ann = hub.player("Ann")
            let codes = [hub.open(ann), hub.open(ann)]
            _ = hub.connect(codes[0])
            return { hub.connect(codes[1]).answer }
        },
        LimitCase(.roomReadings, .refused(503, code: "busy")) { hub in
            for number in 0..<RoomReader.waitingLimit {
                _ = hub.request("GET", "/api/rooms/wrong\(number)", settling: false)
            }
            return { hub.request("GET", "/api/rooms/wrong", settling: false).answer }
        },
    ]

    private static let ofPlayers = [
        LimitCase(.roomsPerDay, .refused(429, code: "too-many-rooms"), with: { $0.roomsPerDay = 1 }) { hub in
            let ann = hub.player("Ann")
            _ = hub.open(ann)
            return { hub.request("POST", "/api/rooms", token: ann.token, body: ["game": "memory"]).answer }
        },
        LimitCase(
            .registrationsPerMinute, .refused(429, code: "too-many-players"), with: { $0.registrationsPerMinute = 1 }
        ) { hub in
            _ = hub.player("Ann")
            return { hub.register("Ben", ScriptedHub.token(of: "Ben")).answer }
        },
        LimitCase(
            .failuresPerMinute, .refused(429, code: "too-many-failures"), with: { $0.failuresPerMinute = 1 }
        ) { hub in
            _ = hub.request("GET", "/api/rooms/wrong")
            return { hub.request("GET", "/api/rooms/wrong").answer }
        },
        LimitCase(.devices, .refused(409, code: "too-many-devices")) { hub in
            let ann = hub.player("Ann")
            for number in 1..<Account.deviceLimit { _ = hub.linked(ann, "device \(number)") }
            let code = hub.code("link-code", of: ann)
            return { hub.addDevice("one more", by: code).answer }
        },
        LimitCase(.changesPerDay, .refused(429, code: "too-many-changes")) { hub in
            let ann = hub.player("Ann")
            // Three events opened the account.
            for number in 3..<Account.changesPerDay { #expect(hub.rename(ann, "Ann \(number)").status == 200) }
            return { hub.rename(ann, "Ann").answer }
        },
    ]

    @discardableResult
    private static func ping(_ page: ScriptedClient, times: Int = 1) -> Answer? {
        page.hears { page in for number in 0..<times { page.say(["type": "ping", "n": .integer(number)]) } }
    }

    /// A client that takes nothing of what waits.
    private static func stuckPage(in hub: ScriptedHub) -> ScriptedClient {
        let page = hub.join(hub.open(hub.player("Ann")))
        page.isStuck = true
        page.member?.fallBehind(now: hub.now)
        // Something waits, or it would be caught up at once: an answer to nothing.
        hub.witness.isOn = false
        page.send(.text([UInt8](JSONWriter.bytes(["type": "pong", "n": .integer(0)]))))
        return page
    }
}

extension ScriptedClient {
    /// What it gets after `act`.
    fileprivate func hears(_ act: (ScriptedClient) -> Void) -> LimitCase.Answer? {
        clear()
        act(self)
        return answer
    }

    fileprivate var answer: LimitCase.Answer? {
        if let closed { return .closed(closed) }
        return last("error")?["code"]?.string.map { .error(code: $0) }
    }
}

extension ScriptedResponse {
    fileprivate var answer: LimitCase.Answer? { fields["code"]?.string.map { .refused(status, code: $0) } }
}
