import EventStore
import Games
import Testing

@testable import Cluster
@testable import RoomRules

@Suite("A node's knowledge of others") struct PeersTests {
    /// Another node's lease, in a run of the same name.
    struct Other: Sendable {
        let name: String
        /// How far its time is ahead of this node's.
        var ahead = 0
        /// How long before the last look it was renewed.
        var age = 0
        /// Whether it was renewed between the looks.
        var isRenewed = true
        var isJoining = false
        var node: String? = nil

        var run: NodeRun { NodeRun(node: NodeName(node ?? name), run: name, address: "http://\(name)") }

        func lease(at time: Milliseconds, renewals: Int) -> Lease {
            var note = NodeNote(
                node: run.node, address: run.address, now: time - age + ahead, wall: time - age)
            note.isJoining = isJoining
            return Lease(run: name, note: note.bytes, renewals: renewals)
        }
    }

    private static let time = 100_000

    private static func leases(_ others: [Other]) -> [Lease] {
        others.map { $0.lease(at: time, renewals: $0.isRenewed ? 2 : 1) }
    }

    /// The peers after two looks at these leases.
    private static func peers(_ others: [Other]) -> Peers {
        var peers = Peers()
        let before = others.map { $0.lease(at: time - 1_000, renewals: 1) }
        peers.look(at: LeaseRenewal(time: time - 1_000, isFenced: false, leases: before))
        peers.look(at: LeaseRenewal(time: time, isFenced: false, leases: leases(others)))
        return peers
    }

    struct TimeCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let others: [Other]
        let ahead: Milliseconds?
    }

    @Test(
        "the time is that of the longest-serving node or, if it gives none, of the one furthest ahead",
        arguments: [
            TimeCase(testDescription: "nobody is there", others: [], ahead: nil),
            TimeCase(
                testDescription: "the first says so", others: [Other(name: "a", ahead: 5), Other(name: "b", ahead: 9)],
                ahead: 5),
            TimeCase(
                testDescription: "it did lately", others: [Other(name: "a", ahead: 5, age: LeaseWatch.gap)], ahead: 5),
            TimeCase(
                testDescription: "it did long ago", others: [Other(name: "a", ahead: 5, age: LeaseWatch.gap + 1)],
                ahead: nil),
            TimeCase(
                testDescription: "the furthest of the others",
                others: [
                    Other(name: "a", age: LeaseWatch.gap + 1), Other(name: "b", ahead: 5), Other(name: "c", ahead: 7),
                ], ahead: 7),
            TimeCase(
                testDescription: "but of one that renews",
                others: [
                    Other(name: "a", age: LeaseWatch.gap + 1), Other(name: "b", ahead: 5),
                    Other(name: "c", ahead: 7, isRenewed: false),
                ], ahead: 5),
            TimeCase(
                testDescription: "the database's clock was set back since",
                others: [Other(name: "a", ahead: 5, age: -1)], ahead: nil),
        ])
    func time(_ one: TimeCase) {
        let time = Self.peers(one.others).time(by: one.others.map(\.run))
        #expect(time == one.ahead.map { Self.time + $0 })
    }

    struct CandidateCase: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In addition to `served`, which serves.
        let other: Other
        let isFound: Bool
    }

    @Test(
        "a node that is about to serve is a candidate",
        arguments: [
            CandidateCase(testDescription: "it says so", other: Other(name: "b", isJoining: true), isFound: true),
            CandidateCase(testDescription: "it does not say so", other: Other(name: "b"), isFound: false),
            CandidateCase(
                testDescription: "it said so long ago",
                other: Other(name: "b", age: LeaseWatch.gap + 1, isJoining: true), isFound: false),
            CandidateCase(
                testDescription: "another run of its name serves",
                other: Other(name: "b", isJoining: true, node: "served"), isFound: false),
            CandidateCase(
                testDescription: "it serves by now", other: Other(name: "served", isJoining: true), isFound: false),
            CandidateCase(
                testDescription: "it is this node", other: Other(name: "own", isJoining: true), isFound: false),
        ])
    func candidates(_ one: CandidateCase) {
        var roll = NodeRoll()
        _ = roll.apply(.joined(Other(name: "served").run, at: 0))
        var peers = Self.peers([one.other])
        // The second run of its name waits.
        let leases = Self.leases([one.other, Other(name: "later", isJoining: true, node: one.other.name)])
        let own = Other(name: "own").run
        let isNew = peers.findCandidates(among: leases, beside: roll, own)
        #expect(isNew == one.isFound && peers.candidates == (one.isFound ? [one.other.run] : []))
        let isOther = peers.findCandidates(among: leases, beside: roll, own)
        #expect(!isOther)
        let hasGone = peers.findCandidates(among: [], beside: roll, own)
        #expect(hasGone == one.isFound && peers.candidates.isEmpty)
    }

    @Test("no node makes way for absent ones") func presence() {
        let others = [Other(name: "a", age: LeaseWatch.gap + 1), Other(name: "b")]
        var peers = Self.peers(others)
        for other in others {
            peers.links.see(LinkSight(run: other.name, isLinked: false, since: 0), of: other.run.node)
        }
        let winner = peers.winner(
            over: NodeName("m"), isServing: true, among: others.map(\.run), at: LinkWatch.limit)
        #expect(winner == others[1].run)
        peers.links.see(LinkSight(run: "b", isLinked: true, since: 0), of: others[1].run.node)
        #expect(peers.links.isLinked(to: others[1].run) && peers.links.count(among: others.map(\.run)) == 1)
        #expect(
            peers.winner(
                over: NodeName("m"), isServing: true, among: others.map(\.run), at: LinkWatch.limit) == nil)
    }
}
