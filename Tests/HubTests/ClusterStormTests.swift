import EventStore
import Games
import JSON
import Records
import Testing

@testable import Cluster
@testable import Hub

/// A member connected to some node, and what it may expect.
private final class Guest {
    let player: ScriptedPlayer?
    private(set) var node: ScriptedHub
    private(set) var page: ScriptedClient
    private let code: String
    /// Commands. An answered one is not sent again.
    private(set) var said: [(id: String, type: String, fields: Fields)] = []

    init(_ player: ScriptedPlayer?, at node: ScriptedHub, in code: String) {
        (self.player, self.node, self.code, page) = (player, node, code, node.join(code, player))
    }

    func say(_ type: String, _ fields: Fields, id: String) {
        said.append((id, type, fields))
        page.command(type, fields, id: id)
    }

    /// How often the command was answered, on any connection.
    func answers(to id: String) -> Int { page.all.flatMap(\.messages).count { $0["id"] == .string(id) } }

    /// As clients do: resumes, and repeats what was not answered.
    func comeBack(to node: ScriptedHub) {
        (self.node, page) = (node, page.comeBack(to: node, code, as: player))
        for (id, type, fields) in said where answers(to: id) == 0 { page.command(type, fields, id: id) }
    }
}

/// A room with members on all nodes. Links are slow and break, nodes come and die, and others learn of that late.
private final class Storm {
    let random: SeededRandom
    let cluster: ScriptedCluster
    let code: String
    private let players: [ScriptedPlayer]
    private(set) var guests: [Guest] = []
    private var lastID = 0

    init(_ seed: UInt64) {
        random = SeededRandom(seed)
        cluster = ScriptedCluster(seed: seed, count: 4, serving: 3)
        let first = cluster.nodes[0]
        let players = ["Ann", "Ben", "Cem", "Dee"].map { first.player($0) }
        self.players = players
        code = first.open(players[0], ["columns": .integer(4), "rows": .integer(5), "seats": .integer(4)])
        for player in players { enter(player) }
        enter(nil)
        for guest in guests.prefix(3) { say(guest, "sit") }
        say(guests[0], "start")
        cluster.isSlow = true
    }

    private func enter(_ player: ScriptedPlayer?) {
        let living = cluster.living
        guests.append(Guest(player, at: living[random.number(below: living.count)], in: code))
    }

    private func say(_ guest: Guest, _ type: String, _ fields: Fields = [:]) {
        lastID += 1
        guest.say(type, fields, id: "c\(lastID)")
    }

    func go(_ steps: Int) {
        for _ in 0..<steps {
            switch random.number(below: 100) {
            case 0..<60: _ = cluster.deliverSome(random)
            case 60..<85: act()
            case 85..<89: cluster.breakSomeLink(random)
            case 89..<91: cluster.tellSomeone(random)
            case 91..<93: comeOrGo()
            case 93: restart()
            case 94..<96: die()
            case 96: failNextAppend()
            default: cluster.pass(500)
            }
            if random.number(below: 4) == 0 { comeBack() }
        }
    }

    /// Members whose connections were closed come back, to any node.
    private func comeBack() {
        let living = cluster.living
        for guest in guests where guest.page.closed != nil {
            guest.comeBack(to: living[random.number(below: living.count)])
        }
    }

    private func act() {
        let guest = guests[random.number(below: guests.count)]
        guard guest.player != nil else { return }
        switch random.number(below: 10) {
        case 0: say(guest, "say", ["text": .string("line \(lastID)")])
        case 1: say(guest, "sit")
        case 2: say(guest, "propose", ["what": "restart"])
        case 3: say(guest, "answer", ["yes": .bool(random.number(below: 2) == 0)])
        default: say(guest, "flip", ["cell": .integer(random.number(below: 20))])
        }
    }

    private func comeOrGo() {
        let index = random.number(below: guests.count)
        let guest = guests.remove(at: index)
        guest.page.leave()
        enter(guest.player)
    }

    /// It is unknown whether it was written, or it was not.
    private func failNextAppend() {
        let log = cluster.living[random.number(below: cluster.living.count)].log
        switch random.number(below: 3) {
        case 0: log?.putIn(.outcomeUnknown(written: true))
        case 1: log?.putIn(.outcomeUnknown(written: false))
        default: log?.putIn(.refused(.cannotWrite(reason: "a test")))
        }
    }

    /// One of the nodes dies, if all are alive. Its members come back elsewhere.
    private func die() {
        guard cluster.living.count == 4 else { return }
        let node = cluster.nodes[random.number(below: 4)]
        cluster.kill(node)
        comeBack(from: node)
    }

    /// One of the nodes is stopped and restarted, or a dead one is restarted.
    private func restart() {
        let node = cluster.nodes[random.number(below: 4)]
        if cluster.living.contains(where: { $0 === node }) {
            cluster.stop(node)
            comeBack(from: node)
        }
        cluster.restart(node)
    }

    private func comeBack(from node: ScriptedHub) {
        for guest in guests where guest.node === node {
            guest.page.forget()
            guest.comeBack(to: cluster.living[0])
        }
    }

    /// Once all is well again, no one has missed anything or got it twice.
    func check() {
        cluster.heal()
        for _ in 0..<5 {
            cluster.pass(ClaimDesk.patience / 2)
            comeBack()
        }
        cluster.pass(5_000)
        let log = cluster.living[0].storage.records(of: .room(code))
        let commands = log.map(\.commit)
        #expect(zip(commands, commands.dropFirst()).filter { $0 != $1 }.count + 1 == Set(commands).count)
        let there = Set(guests.compactMap { $0.player?.id })
        for guest in guests {
            #expect(guest.page.closed == nil)
            for page in guest.page.all {
                let version = follow(page, log)
                if page === guest.page { #expect(version == log.count) }
                #expect([nil, .serviceRestart, .tryAgainLater].contains(page.closed))
            }
            for command in guest.said { #expect(guest.answers(to: command.id) == 1, "\(command.id)") }
            #expect(guest.page.present.players == there)
        }
        for node in cluster.living where node !== cluster.home(of: code) { #expect(node.shard.rooms[code] == nil) }
        let home = cluster.home(of: code).shard.rooms[code]
        #expect(home?.memberCount == guests.count)
    }

    /// Checks that each greeting on a connection is followed by one event after the other, as in the log. Returns the
    /// last version.
    private func follow(_ page: ScriptedClient, _ log: [Record]) -> Int? {
        var version: Int?
        for message in page.messages {
            #expect(message["diverged"] == nil)
            if message["type"] == "welcome" { version = message["version"]?.integer }
            if message["type"] == "resume" { version = page.cameAfter }
            guard let found = message["v"]?.integer, let last = version else { continue }
            // An answer comes after its events.
            guard message["t"] != nil else {
                #expect(found <= last)
                continue
            }
            #expect(found == last + 1)
            #expect(JSONWriter.bytes(message) == log[found - 1].event.shown)
            version = found
        }
        let lines = page.messages.filter { $0["type"] == "chat" }.compactMap { $0["text"]?.string }
        #expect(Set(lines).count == lines.count)
        return version
    }
}

@Suite("Several nodes: random faults") struct ClusterStormTests {
    @Test("members see each event once and are answered once", arguments: 1...40 as ClosedRange<UInt64>)
    func storm(seed: UInt64) {
        let storm = Storm(seed)
        storm.go(600)
        storm.check()
    }
}
