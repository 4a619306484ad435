import EventStore
import Foundation
import Games
import Testing
import Transport

@testable import Hub
@testable import JSON
@testable import Rooms

/// Each limit, exceeded by one.
@Suite("Limits") struct LimitTests {
    @Test("messages beyond the rate are refused, and accepted again a moment later")
    func rate() {
        let hub = ScriptedHub(limits: .with { $0.messagesPerSecond = 10 })
        let page = hub.join(hub.open(hub.player("Ann")))
        for number in 0..<19 { page.say(["type": "ping", "n": .integer(number)]) }
        #expect(page.last("error") == nil)
        page.say(["type": "ping", "n": .integer(20)])
        #expect(page.last("error")?["code"] == "too-fast")
        hub.pass(100)
        page.say(["type": "ping", "n": .integer(21)])
        #expect(page.messages.last?["n"]?.integer == 21)
    }

    @Test("a client that ignores refusals is closed, in a room and in the lobby")
    func flood() {
        let hub = ScriptedHub(limits: .with { ($0.messagesPerSecond, $0.refusalsPerSecond) = (1, 10) })
        for page in [hub.join(hub.open(hub.player("Ann"))), hub.lobby()] {
            for number in 0..<21 { page.say(["type": "ping", "n": .integer(number)]) }
            #expect(page.closed == nil)
            for number in 0..<2 { page.say(["type": "ping", "n": .integer(number)]) }
            #expect(page.closed == .policyViolation)
        }
    }

    @Test("commands beyond the room's queue are told that it is busy, and none is lost")
    func queue() {
        let hub = ScriptedHub(pace: .stepped)
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann), ann)
        for _ in 0..<(RequestQueue.limit + 2) { page.command("sit", settling: false) }
        #expect(page.messages.count { $0["code"] == "busy" } == 1)
        hub.settle()
        #expect(page.messages.count { $0["type"] == "ok" } == RequestQueue.limit + 1)
    }

    @Test("a player can open a limited number of rooms a day, closed or not")
    func rooms() {
        let hub = ScriptedHub(limits: .with { $0.roomsPerDay = 2 })
        let ann = hub.player("Ann")
        for _ in 0..<2 { hub.join(hub.open(ann), ann).command("close") }
        hub.pass(60_000)
        let refused = hub.request("POST", "/api/rooms", token: ann.token, body: ["game": "memory"])
        #expect(refused.status == 429)
        #expect(refused.fields["code"] == "too-many-rooms")
        #expect(
            hub.request("POST", "/api/rooms", token: hub.player("Ben").token, body: ["game": "memory"]).status == 201)
        hub.pass(24 * 60 * 60_000)
        #expect(hub.request("POST", "/api/rooms", token: ann.token, body: ["game": "memory"]).status == 201)
    }

    @Test("an address with wrong codes and tokens is told to wait, and may try again later")
    func codes() {
        let hub = ScriptedHub(limits: .with { $0.failuresPerMinute = 3 })
        for number in 0..<2 { #expect(hub.request("GET", "/api/rooms/wrong\(number)").status == 404) }
        #expect(hub.request("DELETE", "/api/players/me").status == 401)
        hub.pass(59_000)
        for (method, target) in [
            ("GET", "/api/rooms/wrong"), ("GET", "/api/rooms/wrong/log"), ("POST", "/api/rooms"),
            ("DELETE", "/api/players/me"),
        ] {
            let refused = hub.request(method, target)
            #expect(refused.status == 429)
            #expect(refused.fields["code"] == "too-many-failures")
            #expect(refused.headers["Retry-After"] == "1")
        }
        #expect(hub.request("GET", "/api/rooms/wrong", from: .at("192.0.2.3")).status == 404)
        hub.pass(1_000)
        #expect(hub.request("GET", "/api/rooms/wrong").status == 404)
    }

    @Test("wrong codes leave no room awake, and do not hinder right ones")
    func wrongCodes() {
        let hub = ScriptedHub(limits: .with { $0.awakeRooms = 2 })
        let code = hub.open(hub.player("Ann"))
        _ = hub.join(code)
        for number in 0..<3 {
            #expect(hub.request("GET", "/api/rooms/wrong\(number)").status == 404)
            #expect(hub.request("GET", "/api/rooms/wrong\(number)/log").status == 404)
            // Two requests for the same room both get an answer.
            let asked = (0..<2).map { _ in hub.request("GET", "/api/rooms/both\(number)", settling: false) }
            hub.settle()
            #expect(asked.map(\.status) == [404, 404])
        }
        #expect(hub.shard.rooms.all.map(\.code) == [code])
        let page = hub.join("wrong")
        #expect(page.closed == .policyViolation)
        page.leave()
        #expect(hub.shard.rooms.all.map(\.code) == [code])
        #expect(hub.metric("flipside_rooms_awake") == 1)
    }

    @Test("right requests succeed after any number of wrong ones from the same address")
    func right() {
        let hub = ScriptedHub(limits: .with { $0.failuresPerMinute = 1 })
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        for status in [404, 429] { #expect(hub.request("GET", "/api/rooms/wrong").status == status) }
        #expect(hub.request("GET", "/api/rooms/" + code).status == 200)
        #expect(hub.request("GET", "/api/rooms/\(code)/log").status == 200)
        #expect(hub.request("POST", "/api/rooms", token: ann.token, body: ["game": "memory"]).status == 201)
        #expect(!hub.player("Ben").id.isEmpty)
        for wrong in 0..<2 { _ = hub.join(code, ScriptedPlayer(name: "", id: "", token: "wrong\(wrong)")) }
        #expect(hub.join(code, ann).closed == nil)
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 204)
    }

    @Test("wrong codes of pages count too, and beyond the limit a page tells nothing of any room")
    func pages() {
        let web = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../web").standardized.path
        let hub = ScriptedHub(limits: .with { $0.failuresPerMinute = 2 }, webFolder: web)
        let code = hub.open(hub.player("Ann"))
        func says(_ code: String, from peer: Peer = .at("192.0.2.1")) -> Bool {
            let page = hub.request("GET", "/room/" + code, from: peer)
            #expect(page.status == 200)
            return String(decoding: page.body, as: UTF8.self).contains("<title>Memory 4 × 4: ")
        }
        #expect([code, "abcdef", code, "abcdeg", code].map { says($0) } == [true, false, true, false, false])
        #expect(says(code, from: .at("192.0.2.3")))
        #expect(hub.request("GET", "/api/rooms/wrong").status == 429)
        hub.pass(60_000)
        #expect(says(code))
    }

    @Test("wrong tries and new players are counted once for all loops")
    func counted() {
        let limits = HubLimits.with { ($0.failuresPerMinute, $0.registrationsPerMinute) = (3, 2) }
        let shared = AddressLimits(limits)
        let loops = (0..<2).map { ScriptedHub(seed: $0, limits: limits, addressLimits: shared) }
        #expect(loops.map { $0.request("GET", "/api/rooms/wrong").status } == [404, 404])
        #expect(loops.map { $0.request("DELETE", "/api/players/me").status } == [401, 429])
        let names = ["Ann", "Ben", "Cy"]
        #expect(zip(names, [0, 1, 0]).map { loops[$1].player($0).id.isEmpty } == [false, false, true])
        // A known player does not count as a new one.
        #expect(!loops[0].player("Ann").id.isEmpty)
        for loop in loops { loop.pass(60_000) }
        #expect(loops.map { $0.request("GET", "/api/rooms/wrong").status } == [404, 404])
        #expect(!loops[0].player("Cy").id.isEmpty)
    }

    @Test("a limited number of addresses is counted, IPv6 by network, the rest together, exempt ones never")
    func addresses() {
        let limit = AddressLimit(perMinute: 1)
        for number in 0..<AddressLimit.addressLimit {
            #expect(limit.count(.at("2001:db8:0:\(String(number, radix: 16))::1"), now: 60_000) == .withinLimit)
        }
        #expect(limit.count(.at("192.0.2.8"), now: 60_000) == .withinLimit)
        #expect(limit.count(.at("192.0.2.9"), now: 60_000) == .pastLimit(wait: 60))
        #expect(limit.count(.at("2001:db8::2"), now: 119_999) == .pastLimit(wait: 1))
        // The clocks of two loops differ by some milliseconds.
        #expect(limit.count(.at("2001:db8:0:1::2"), now: 59_995) == .pastLimit(wait: 60))
        for _ in 0..<3 { #expect(limit.count(.at("127.0.0.1", isLimited: false), now: 60_000) == .withinLimit) }
        #expect(limit.count(.at("192.0.2.9"), now: 120_000) == .withinLimit)
    }

    @Test("an IPv6 network counts as one address, since it has 2^64 of them")
    func networks() {
        let limit = AddressLimit(perMinute: 1)
        let counts = ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1"].map { limit.count(.at($0), now: 60_000) }
        #expect(counts == [.withinLimit, .pastLimit(wait: 60), .withinLimit])
        #expect(limit.isPast(.at("2001:db8::3"), now: 60_000))
    }

    @Test("an address that says hello with wrong tokens is cut off")
    func tokens() {
        let hub = ScriptedHub(limits: .with { $0.failuresPerMinute = 3 })
        let code = hub.open(hub.player("Ann"))
        let pages = (0..<4).map { hub.join(code, ScriptedPlayer(name: "", id: "", token: "wrong\($0)")) }
        #expect(pages.map(\.closed) == [nil, nil, nil, .policyViolation])
    }

    @Test(
        "JSON beyond its limits is refused",
        arguments: [
            (String(repeating: "[", count: JSONReader.depthLimit + 1), JSONViolation.Reason.tooDeep),
            (
                "[" + (1...JSONReader.valueLimit).map { _ in "0" }.joined(separator: ",") + "]",
                .tooManyValues(limit: JSONReader.valueLimit)
            ),
            ("{" + (0...JSONReader.fieldLimit).map { "\"\($0)\":0" }.joined(separator: ",") + "}", .tooManyFields),
        ])
    func json(_ text: String, _ reason: JSONViolation.Reason) {
        #expect { try JSONReader.read(Array(text.utf8)) } throws: { ($0 as? JSONViolation)?.reason == reason }
    }

    @Test("a client whose hellos were refused is greeted again a moment later")
    func hellos() {
        let table = Table()
        for _ in 0..<30 { table.watcher.say(["type": "hello"]) }
        #expect(table.watcher.last("error")?["code"] == "too-fast")
        table.hub.pass(1_000)
        table.watcher.clear()
        table.watcher.say(["type": "hello"])
        #expect(table.watcher.last("welcome") != nil)
    }

    @Test("a client's request may have fewer values", arguments: [(0, 422), (1, 400)])
    func clientValues(more: Int, status: Int) {
        let hub = ScriptedHub()
        // They include the object and the list.
        let values = [Value](repeating: .null, count: JSONReader.clientValueLimit - 2 + more)
        let answer = hub.request(
            "POST", "/api/rooms", token: hub.player("Ann").token, body: ["more": .list(values)])
        #expect(answer.status == status)
    }
}
