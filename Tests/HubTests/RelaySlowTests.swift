import EventStore
import Games
import JSON
import Testing

@testable import Hub
@testable import Rooms

/// A member whose socket is at another node, with links that deliver only when told to, and its messages.
private final class Crossing {
    enum Step: CaseIterable {
        /// The socket takes no more, or has taken everything.
        case fill, empty
        /// Something is shown to everyone; the client asks for something.
        case event, ask
        /// The client has missed something.
        case hello
        case toHome, toRelay
    }

    let scene = RelayScene()
    let page: ScriptedClient
    private(set) var asked: [String] = []

    init() {
        page = scene.relay.join(scene.code, scene.ben)
        scene.cluster.pass(1_000)
        scene.cluster.forgetMessages()
        scene.cluster.isSlow = true
    }

    func take(_ step: Step) {
        switch step {
        case .fill: if !page.isStuck { page.fill() }
        case .empty: page.isStuck = false
        case .event: scene.showSomething()
        case .ask:
            asked.append("c\(asked.count)")
            page.command(asked.count % 2 == 1 ? "sit" : "leave", id: asked.last)
        case .hello:
            page.say([
                "type": "hello", "token": .string(scene.ben.token), "after": .integer(page.seen ?? 0),
            ])
        case .toHome: scene.deliverToHome()
        case .toRelay: scene.deliverToRelay()
        }
        scene.relay.settle()
    }

    /// The numbers of all greetings.
    var greetings: [Int] { scene.relayed.compactMap(\.greeting) }

    /// Everything has arrived. Nothing was missed or came twice, and each answer came once, after its events.
    func check() {
        for step in [Step.empty, .toHome, .toRelay, .empty, .toHome, .toRelay] { take(step) }
        scene.calm()
        #expect(page.closed == nil)
        #expect(greetings == Array(2..<2 + greetings.count))
        let log = scene.home.storage.records(of: .room(scene.code))
        var version: Int?
        var isResumed = false
        for message in page.messages {
            if message["type"] == "welcome" { version = message["version"]?.integer }
            if message["type"] == "resume" { isResumed = true }
            guard let found = message["v"]?.integer, let last = version else { continue }
            guard message["t"] != nil else {
                #expect(found <= last)
                continue
            }
            // What came while the hello was on its way comes again.
            #expect(isResumed ? found <= last + 1 : found == last + 1)
            isResumed = false
            #expect(JSONWriter.bytes(message) == log[found - 1].event.shown)
            version = found
        }
        #expect(version == log.count)
        for id in asked { #expect(page.messages.count { $0["id"] == .string(id) } == 1, "\(id)") }
        #expect(scene.members.count == 2)
        #expect(scene.members.allSatisfy { $0.behindSince == nil && $0.stage == .live })
    }
}

private struct Order: CustomTestStringConvertible {
    let testDescription: String
    let steps: [Crossing.Step]
    /// How often the member is caught up.
    let greetings: Int
    let left: Int

    init(_ what: String, _ steps: [Crossing.Step], greetings: Int, left: Int) {
        (testDescription, self.steps, self.greetings, self.left) = (what, steps, greetings, left)
    }
}

@Suite("Several nodes: slow relayed sockets") struct RelaySlowTests {
    private static let orders = [
        Order("nothing is full", [.event, .toRelay, .ask, .toHome, .toRelay], greetings: 0, left: 0),
        Order(
            "it is full, and has taken everything",
            [.fill, .event, .toRelay, .toHome, .event, .empty, .toHome, .toRelay], greetings: 1, left: 1),
        Order(
            "all of it at once", [.fill, .event, .event, .toRelay, .empty, .toHome, .toRelay], greetings: 1, left: 2),
        Order(
            "a greeting is on its way when it is full",
            [.event, .hello, .toHome, .fill, .toRelay, .empty, .toHome, .toRelay], greetings: 1, left: 1),
        Order(
            "it is full behind a greeting",
            [.hello, .toHome, .toRelay, .fill, .event, .toRelay, .toHome, .empty, .toHome, .toRelay],
            greetings: 2, left: 1),
        Order(
            "hello while it is full", [.fill, .event, .toRelay, .toHome, .hello, .toHome, .toRelay, .empty, .toHome],
            greetings: 1, left: 1),
        Order(
            "hello on the way with full", [.fill, .event, .toRelay, .hello, .toHome, .toRelay, .empty, .toHome],
            greetings: 1, left: 1),
        Order(
            "hello, then it has taken everything",
            [.fill, .event, .toRelay, .toHome, .hello, .empty, .toHome, .toRelay], greetings: 1, left: 1),
        Order(
            "it has taken everything, then hello",
            [.fill, .event, .toRelay, .toHome, .empty, .hello, .toHome, .toRelay], greetings: 2, left: 1),
        Order(
            "full, drained and hello all on the way",
            [.fill, .event, .toRelay, .empty, .hello, .toHome, .toRelay], greetings: 2, left: 1),
        Order(
            "an answer while it is full", [.fill, .ask, .toHome, .toRelay, .ask, .toHome, .empty, .toHome, .toRelay],
            greetings: 1, left: 1),
        Order(
            "full again behind its greeting",
            [
                .fill, .event, .toRelay, .toHome, .empty, .toHome, .fill, .event, .toRelay, .toHome, .ask, .toHome,
                .empty, .toHome, .toRelay,
            ], greetings: 2, left: 2),
    ]

    @Test("reports of a full socket, an empty one and a greeting may cross in any order", arguments: orders.indices)
    func crosses(index: Int) {
        let (order, crossing) = (Self.orders[index], Crossing())
        for step in order.steps { crossing.take(step) }
        crossing.check()
        #expect(crossing.greetings.count == order.greetings, "\(order)")
        #expect(crossing.scene.relay.counters.leftOut.value == order.left, "\(order)")
    }

    @Test("whatever crosses, nothing is missed or shown twice", arguments: 1...60 as ClosedRange<UInt64>)
    func crossesByChance(seed: UInt64) {
        let (crossing, random) = (Crossing(), SeededRandom(seed))
        for _ in 0..<80 {
            crossing.take(Crossing.Step.allCases[random.number(below: Crossing.Step.allCases.count)])
            if random.number(below: 3) == 0 { crossing.scene.cluster.pass(500) }
        }
        crossing.check()
    }

    @Test("answers to a full socket wait for its greeting, and one too many ends the connection", arguments: [64, 65])
    func kept(count: Int) {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code, scene.ben)
        scene.cluster.pass(1_000)
        page.clear()
        scene.cluster.isSlow = true
        for number in 0..<count { page.say(["type": "ping", "n": .integer(number)]) }
        // Messages for all precede the answers, and find the socket full.
        scene.showSomething()
        scene.deliverToHome()
        page.fill()
        scene.deliverToRelay()
        #expect(page.story.isEmpty)
        #expect(page.closed == (count > Member.owedLimit ? .tryAgainLater : nil))
        guard count == Member.owedLimit else { return page.leave() }
        scene.deliverToHome()
        page.isStuck = false
        scene.calm()
        #expect(page.story == ["welcome"] + (0..<count).map { "pong \($0)" })
    }

    @Test("a home that knows of a full socket owes the same number of answers", arguments: [64, 65])
    func owed(count: Int) {
        let scene = RelayScene()
        let page = scene.relay.join(scene.code, scene.ben)
        scene.cluster.pass(1_000)
        page.clear()
        page.fill()
        scene.showSomething()
        scene.cluster.forgetMessages()
        for number in 0..<count { page.say(["type": "ping", "n": .integer(number)]) }
        #expect(page.story.isEmpty)
        #expect(page.closed == (count > Member.owedLimit ? .tryAgainLater : nil))
        // Nothing of it crosses the link.
        #expect(scene.relayed.allSatisfy { $0.texts.isEmpty })
        guard count == Member.owedLimit else { return page.leave() }
        page.isStuck = false
        scene.calm()
        #expect(page.story == ["welcome"] + (0..<count).map { "pong \($0)" })
    }

    @Test("a client that reads nothing for too long is closed, and others at the same node continue")
    func tooLong() {
        let scene = RelayScene()
        let (slow, page) = (scene.relay.join(scene.code), scene.relay.join(scene.code))
        slow.fill()
        scene.showSomething()
        scene.cluster.pass(Member.behindLimit - 1_000)
        #expect(slow.closed == nil)
        scene.cluster.pass(2 * Shard.sweepPause)
        #expect(slow.closed == .tryAgainLater)
        slow.leave()
        scene.showSomething()
        #expect(page.closed == nil && page.seen == scene.version && scene.members.count == 2)
    }

    @Test("while another hello is looked up, nothing is sent twice and nothing is lost")
    func paused() throws {
        let scene = RelayScene()
        let (page, other) = (scene.relay.join(scene.code, scene.ben), scene.relay.join(scene.code))
        scene.cluster.pass(1_000)
        for page in [page, other] { page.clear() }
        scene.cluster.isSlow = true
        scene.home.log.pace = .stepped
        scene.showSomething(settling: false)
        // Its token has to be looked up, after what is on its way to the log.
        page.say(["type": "hello", "token": .string(scene.ann.token)])
        scene.deliverToHome(settling: false)
        for _ in 0..<100 where scene.annPage.events.isEmpty { scene.home.step() }
        #expect(scene.members.contains { $0.stage == .identifying })
        scene.deliverToRelay()
        #expect(other.story == ["seat-taken"] && page.story.isEmpty)
        scene.home.log.pace = .automatic
        scene.calm()
        #expect(page.story == ["welcome"])
        #expect(page.last("welcome")?["version"]?.integer == scene.version)
        #expect(page.last("welcome")?["you"]?.object?["player"] == .string(scene.ann.id))
        scene.showSomething()
        #expect(page.story == ["welcome", "seat-freed"] && other.story == ["seat-taken", "seat-freed"])
    }
}
