import ArgumentParser
import Hub
import ProtocolOracles
import Testing
import Transport
import WebProtocols

@testable import flipside

@Suite("Benchmarks' arguments") struct BenchTests {
    private static let hub = "http://localhost:8080"

    @Test(
        "a load without a size or a hub is refused",
        arguments: [
            [], ["localhost"], ["ws://localhost"], ["http://"], ["http://localhost/room"], ["http://localhost:0"],
            [hub, "--rooms", "0"], [hub, "--members", "9"], [hub, "--members", "0"], [hub, "--flips", "0"],
            [hub, "--flips", "fast"], [hub, "--seconds", "0"], [hub, "--seconds=-1"], [hub, "--spectators=-1"],
            [hub, "--newcomers=-1"], [hub, "--threads", "257"], [hub, "--cert", "cert.pem"], ["=\(hub)"],
            ["\(hub),"], ["a=\(hub)"], [hub, "--place", "nowhere"], [hub, "--place", "home"],
        ])
    func nothing(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try BenchHub.parse(arguments) }
    }

    @Test(
        "a hub has a scheme, a host and perhaps a port",
        arguments: ["http://localhost", "https://play.example.org/", "HTTP://[::1]:8080", "https://192.0.2.1:8443"])
    func places(url: String) {
        #expect(throws: Never.self) { try BenchHub.parse([url]) }
        #expect(throws: Never.self) { try BenchHub.parse([url, "--flips", "max", "--ca", "ca.pem", "--json", "-"]) }
    }

    @Test("nodes are separated by commas", arguments: Placement.allCases)
    func nodes(placement: Placement) throws {
        let given = try BenchHub.parse(["\(Self.hub),http://[::1]:1", "--place", placement.rawValue])
        #expect(given.url.urls.map(\.port) == [8080, 1])
    }

    @Test(
        "logs that cannot be measured are refused",
        arguments: [
            [], ["sqlite:x", "--batch", "0"], ["sqlite:x", "--batch", "513"], ["sqlite:x", "--seconds", "0"],
        ])
    func logs(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try BenchLog.parse(arguments) }
        #expect(throws: Never.self) { try BenchLog.parse(["sqlite:x", "--batch", "512"]) }
    }

    @Test(
        "games that cannot be measured are refused", arguments: [["--games", "0"], ["--plies=-1"], ["--plies", "14"]])
    func games(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try BenchGames.parse(arguments) }
        #expect(throws: Never.self) { try BenchGames.parse([]) }
    }

    @Test(
        "a refusal by a limit names the option that raises it",
        arguments: [
            ("too-many-connections-from-address", "--connections-per-address"),
            ("too-many-connections", "--connections"), ("too-many-players", "--registrations-per-minute"),
            ("room-full", "--members-per-room"), ("too-fast", "--messages-per-second"),
            ("too-fast", "--commands-per-second"), ("busy", "--awake-rooms"),
        ])
    func advice(code: String, option: String) throws {
        let refusal = HTTPResponse.problem(status: 429, code: code, sentence: "No.")
        let problem = Problem(.failed(.noWebSocket(.refused(refusal))))
        #expect(problem == Problem(name: code))
        #expect(try #require(problem.advice).contains("`\(option)`"))
        // And `serve` has it.
        #expect(ServeOption.all.contains { "--" + $0.name == option })
    }
}

@Suite("Nodes of a load test") struct LoadNodesTests {
    private static let rooms = (0..<60).map { "ROOM\($0)" }

    private func nodes(_ placement: Placement) -> LoadNodes {
        let endpoints = (1...3).map { ClientEndpoint(host: "127.0.0.1", port: $0) }
        return LoadNodes(endpoints: endpoints, placement: placement)
    }

    @Test("spread clients take the nodes in turn, whatever their rooms")
    func spread() {
        let places = Self.rooms.enumerated().map { nodes(.spread).index(ofRoom: $1, $0) }
        #expect(places == (0..<60).map { $0 % 3 })
    }

    @Test("all clients of a room use one node, and rooms use all nodes")
    func together() {
        let nodes = nodes(.together)
        let places = Self.rooms.map { room in Set((0..<9).map { nodes.index(ofRoom: room, $0) }) }
        #expect(places.allSatisfy { $0.count == 1 } && places.reduce(Set()) { $0.union($1) } == [0, 1, 2])
    }

    @Test("a client that opens a room uses any node, since there is no code yet", arguments: Placement.allCases)
    func opens(placement: Placement) {
        #expect((0..<6).map { nodes(placement).index(ofRoom: "", $0) } == [0, 1, 2, 0, 1, 2])
    }
}

@Suite("Percentiles") struct LatencyHistogramTests {
    @Test(
        "are at most 1.6 % above the measured values, and the last one is exact", arguments: [1, 97, 1_000, 1 << 20])
    func error(step: Int) throws {
        var histogram = LatencyHistogram()
        for number in 1...1_000 { histogram.record(number * step) }
        for part in [0.001, 0.5, 0.9, 0.99, 0.999, 1] {
            let exact = Int(part * 1_000) * step
            let found = try #require(histogram.percentile(part))
            #expect(found >= exact && Double(found) <= Double(exact) * 1.0157)
        }
        #expect(histogram.longest == 1_000 * step && histogram.percentile(1) == histogram.longest)
    }

    @Test("do not exist without values; a negative time counts as 0, and the longest possible one as itself")
    func edges() {
        var histogram = LatencyHistogram()
        #expect(histogram.percentile(0.5) == nil)
        histogram.record(-5)
        #expect(histogram.percentile(1) == 0)
        histogram.record(.max)
        #expect(histogram.percentile(1) == .max && histogram.count == 2)
    }

    @Test("of two merged histograms cover the values of both")
    func merge() {
        var (one, other, both) = (LatencyHistogram(), LatencyHistogram(), LatencyHistogram())
        for number in 0..<1_000 {
            one.record(number)
            other.record(number * 1_000)
            both.record(number)
            both.record(number * 1_000)
        }
        one.merge(other)
        #expect(one == both)
    }
}

@Suite("Messages read by a load test") struct MessageScanTests {
    @Test(
        "a message's kind, version and requested field are found",
        arguments: [
            (#"{"type":"welcome","version":12,"head":"00"}"#, .welcome, nil, 12),
            (#"{"type":"ok","id":"f7","v":9}"#, .ok, nil, nil),
            (#"{"type":"okay","version":1}"#, .other, nil, 1),
            (#"{"v":3,"t":1767225600000,"type":"show-card","cell":5,"face":"17"}"#, .showCard, 3, nil),
            (#"{"v":4,"t":1767225600000,"type":"turn","seat":1}"#, .turn, 4, nil),
            (#"{"v":4,"t":1767225600000,"type":"seat-taken","seat":1}"#, .other, 4, nil),
            (#"{"v":4"#, .other, 4, nil), ("", .other, nil, nil), (#"{"v":}"#, .other, nil, nil),
        ] as [(String, MessageScan.Kind, Int?, Int?)])
    func finds(text: String, kind: MessageScan.Kind, version: Int?, greeted: Int?) {
        let scan = MessageScan(Array(text.utf8))
        #expect(scan.kind == kind && scan.version == version && scan.number(#""version":"#) == greeted)
    }

    @Test("values are found after their names")
    func values() {
        let text = #"{"v":3,"t":17,"type":"show-card","cell":5,"face":"17","seat":2,"id":"f41"}"#
        let scan = MessageScan(Array(text.utf8))
        #expect(scan.number(#""cell":"#) == 5 && scan.number(#""seat":"#) == 2 && scan.number(#""id":"f"#) == 41)
        #expect(scan.text(#""face":""#) == "17" && scan.number(#""gap":"#) == nil && scan.text(#""gap":""#) == nil)
    }

    @Test("a board is played to its end, and two different cards are only turned up to see a new one")
    func plays() throws {
        for seed in 0..<20 {
            var generator = SeededGenerator(seed: UInt64(seed))
            let deck = (Array(0..<24) + Array(0..<24)).shuffled(using: &generator)
            var (cards, won, flips) = (KnownCards(), 0, 0)
            while let cell = cards.choose() {
                flips += 1
                try #require(flips <= 96, "a board of 48 cards needs no more")
                let up = cards.up
                #expect(!up.contains(cell))
                let differs = cards.show(cell, face: "\(deck[cell])")
                guard let first = up.first else { continue }
                #expect(differs == (deck[first] != deck[cell]))
                if differs {
                    cards.hide()
                } else {
                    cards.match()
                    won += 1
                }
            }
            #expect(won == 24)
        }
    }
}
