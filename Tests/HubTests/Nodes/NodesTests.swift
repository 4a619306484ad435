import Cryptography
import TestSupport
import Testing

@testable import Hub

/// Whole hubs over sockets that share a database.
@Suite("Nodes of one cluster") struct NodesTests {
    @Test("Whole games are played across nodes: all see the same, and each command has one answer")
    func playsAcrossNodes() throws {
        let database = try NodeDatabase()
        let (a, b) = (try ServedNode("a", on: database), try ServedNode("b", on: database))
        try #require(a.waitUntilReady() && b.waitUntilReady())
        // Rooms with their home at either node, opened at either.
        for (first, second) in [(a, b), (b, a), (a, b), (b, a)] {
            let table = try NodeTable(first, second, watched: b)
            #expect(try table.play())
            try table.hearEnd()
            let log = database.lines(ofRoom: table.code)
            for guest in table.everybody {
                #expect(!guest.events.isEmpty && guest.events == log.suffix(guest.events.count))
                #expect(guest.answers.values.allSatisfy { $0 == 1 })
            }
            #expect(ServedNode.wait { (try? a.listedRooms()) == (try? b.listedRooms()) })
            #expect(try a.listedRooms().contains(table.code))
        }
        for node in [a, b] {
            #expect(!node.counts("node_link_sent_messages_total", 0) && !node.counts("node_link_sent_bytes_total", 0))
            #expect(!node.counts("node_link_received_messages_total", 0))
        }
    }

    @Test("Members at a live node play on when another one has gone", arguments: [true, false])
    func playsOnWithoutANode(isLeaving: Bool) throws {
        let database = try NodeDatabase()
        let (a, b) = (try ServedNode("a", on: database), try ServedNode("b", on: database))
        try #require(a.waitUntilReady() && b.waitUntilReady())
        #expect(ServedNode.wait { a.counts("nodes", 2) && b.counts("nodes", 2) })
        let tables = try (0..<16).map { try NodeTable(a, a, watched: a, home: $0 % 2 == 0 ? a : b) }
        for table in tables { #expect(try !table.play(turns: 1)) }
        #expect(!a.counts("node_relayed_connections", 0))
        b.stop(leaving: isLeaving)
        for table in tables { #expect(try table.play()) }
        #expect(ServedNode.wait { a.counts("node_links", 0) })
        #expect(a.isReady && a.counts("nodes", 1))
        #expect(a.counts("node_relayed_connections", 0) && a.counts("node_rooms_given_up_total", 0))
    }

    @Test("A second run with the same name waits until the first has gone")
    func waitsForItsName() throws {
        let database = try NodeDatabase()
        let first = try ServedNode("a", on: database)
        try #require(first.waitUntilReady())
        let second = try ServedNode("a", on: database)
        #expect(ServedNode.wait { second.logged.of(.warning).contains { $0.contains("of a is running") } })
        #expect(!second.isReady)
        #expect(try second.ask("GET", "/api/rooms").status == 503)
        first.stop()
        #expect(second.waitUntilReady())
        #expect(!first.server.isLost)
    }

    /// Self-signed certificates for localhost and their keys, created once.
    private static let pairs = (TLSFiles.forLocalhost(), TLSFiles.forLocalhost())

    @Test("Games are played over links with TLS")
    func playsByTLS() throws {
        let database = try NodeDatabase()
        let pair = try #require(Self.pairs.0)
        let nodes = try ["a", "b"].map { name in
            try ServedNode(name, on: database, pair: pair, trust: .authority(path: pair.certificate))
        }
        try #require(nodes.allSatisfy { $0.waitUntilReady() })
        for node in nodes {
            let table = try NodeTable(nodes[0], nodes[1], watched: node)
            #expect(try table.play())
        }
        for node in nodes { #expect(ServedNode.wait { node.counts("node_links", 1) }) }
    }

    @Test("A node with an untrusted certificate is not linked")
    func refusesAnotherAuthority() throws {
        let database = try NodeDatabase()
        let (pair, other) = (try #require(Self.pairs.0), try #require(Self.pairs.1))
        let nodes = try ["a", "b"].map { name in
            try ServedNode(name, on: database, pair: pair, trust: .authority(path: other.certificate))
        }
        // The one whose name comes first connects.
        #expect(ServedNode.wait { nodes.contains { $0.hasFault("unreachable") } })
        for node in nodes { #expect(node.counts("node_links", 0)) }
    }
}
