import Foundation
import Games
import JSON
import TestSupport
import Testing

@testable import Cluster
@testable import Hub
@testable import RoomRules

@Suite("Nothing of a hand or a sealed bid reaches anyone but its player") struct HandSecrecyTests {
    private static let games = ProcessInfo.processInfo.environment["FLIPSIDE_LONG_TESTS"] == nil ? 12 : 1_000

    @Test(
        "in games of people who come, go, are slow, change seats and are banned, over one node and two, with crashes",
        arguments: ["go-fish", "goofspiel"])
    func games(game: String) {
        var (hands, ended, relayed, crashes) = (0, 0, 0, 0)
        for number in 0..<Self.games {
            let crowd = Crowd(number, game: game)
            crowd.play()
            hands += crowd.searched
            ended += crowd.state.phase == .ended ? 1 : 0
            relayed += crowd.relayedHands
            crashes += crowd.crashes
            crowd.stop()
        }
        #expect(hands > 50 * Self.games && ended > Self.games / 3, "the search saw too little to mean anything")
        #expect(relayed > Self.games && crashes > Self.games / 4)
    }
}

/// A table at which people play at random, and a search of everything that leaves the hub.
private final class Crowd {
    /// What is in hands only: suits, and the name of one's own bid.
    private static let marks = ["♠", "♥", "♦", "♣", #""bid":"#].map { Array($0.utf8) }

    /// A connection, and who said hello on it.
    private struct Page {
        let client: ScriptedClient
        let player: ScriptedPlayer?
        let hub: ScriptedHub
    }

    private let cluster: ScriptedCluster?
    private let hubs: [ScriptedHub]
    private let choice: SeededRandom
    private let people: [ScriptedPlayer]
    private let code: String
    private var pages: [Page] = []
    private var looked: [Int]
    /// The room at each version.
    private var folds: [RoomState] = []
    private(set) var searched = 0
    private(set) var relayedHands = 0
    private(set) var crashes = 0

    init(_ number: Int, game: String) {
        choice = SeededRandom(UInt64(number))
        cluster = number % 2 == 0 ? nil : ScriptedCluster(seed: UInt64(number), count: 2, serving: 2)
        let hubs = cluster?.nodes ?? [ScriptedHub(seed: UInt64(number), limits: .forManyCommands)]
        people = ["Ann", "Ben", "Cai", "Dan"].map { hubs[0].player($0) }
        let isShort = choice.number(below: 2) == 0
        let options: Fields =
            game == "go-fish" ? ["books": isShort ? "pairs" : "fours"] : ["cards": .integer(isShort ? 6 : 13)]
        code = hubs[0].open(people[0], options.merging(["turnTime": 3_600, "seats": 3]), game: game)
        self.hubs = cluster?.nodes(of: code) ?? hubs
        looked = hubs.map { _ in 0 }
        for person in people { enter(person, at: 0) }
        for page in pages.prefix(3) { page.client.command("sit") }
        pages[0].client.command("start")
    }

    var state: RoomState { hubs[0].room(code) }

    func play() {
        for _ in 0..<400 where state.phase == .running {
            switch choice.number(below: 40) {
            case 0: enter(nil, at: choice.number(below: hubs.count))
            case 1...3:
                let person = people[choice.number(below: people.count)]
                enter(person, at: choice.number(below: hubs.count), after: choice.number(below: state.version))
            case 4, 5: if pages.count > 8 { pages.remove(at: choice.number(below: pages.count)).client.leave() }
            case 6: pages[choice.number(below: pages.count)].client.isStuck = true
            case 7: for page in pages { page.client.isStuck = false }
            case 8: say("leave", by: 1 + choice.number(below: 2), rarely: 3)
            case 9: say("sit", by: 3)
            case 10:
                let outcast = people[1 + choice.number(below: 3)]
                say("ban", ["player": .string(outcast.id), "on": .bool(choice.number(below: 3) == 0)], by: 0)
            case 11: if cluster == nil { crash() }
            case 12: for path in ["/\(code)/log", "/\(code)", ""] { _ = hubs[0].request("GET", "/api/rooms\(path)") }
            case 13: for path in ["/metrics", "/r/\(code)"] { _ = hubs[0].request("GET", path) }
            case 14: say("say", ["text": "Go fish!"], by: choice.number(below: 4))
            default: ask()
            }
            look()
        }
        for page in pages { page.client.isStuck = false }
        look()
        lookAtWhatWasKept()
    }

    func stop() { for hub in hubs { hub.stop() } }

    private func enter(_ person: ScriptedPlayer?, at hub: Int, after: Int? = nil) {
        pages.append(Page(client: hubs[hub].join(code, person, after: after), player: person, hub: hubs[hub]))
    }

    /// On a page of this person.
    private func say(_ type: String, _ fields: Fields = [:], by person: Int, rarely: Int = 1) {
        guard choice.number(below: rarely) == 0 else { return }
        if !pages.contains(where: { $0.player?.id == people[person].id }) { enter(people[person], at: 0) }
        pages.last { $0.player?.id == people[person].id }?.client.command(type, fields)
    }

    /// A player who is awaited makes any move.
    private func ask() {
        let awaited = state.awaited
        guard !awaited.isEmpty else { return }
        let seat = awaited[choice.number(below: awaited.count)]
        guard let moves = state.game?.legalSteps(for: seat), !moves.isEmpty,
            let person = people.firstIndex(where: { $0.id == state.playing[seat] })
        else { return }
        let move = moves[choice.number(below: moves.count)]
        say(move.type, move.fields, by: person)
    }

    private func crash() {
        let before = pages
        hubs[0].crash(downtime: 1_000)
        crashes += 1
        pages = []
        for page in before { enter(page.player, at: 0, after: page.client.seen) }
    }

    // MARK: The search

    private func holdsCard(_ bytes: some Collection<UInt8>) -> Bool {
        let bytes = Array(bytes)
        return (Self.marks + seals).contains(where: bytes.containsBytes)
    }

    /// What is sealed of the running game, as bytes and in hexadecimal.
    private var seals: [[UInt8]] {
        let sealed = state.phase == .running ? state.seals.compactMap(\.sealed.bytes) : []
        return sealed + sealed.map { Array($0.hex.utf8) }
    }

    /// Everything sent since the last look: cards are in hands only, and each hand is that of the connection's player.
    private func look() {
        for (index, hub) in hubs.enumerated() {
            for frame in hub.sent.frames[looked[index]...] where holdsCard(frame) {
                #expect(frame.containsBytes(Array(#"{"type":"hand","v":"#.utf8)))
            }
            looked[index] = hub.sent.frames.count
            #expect(!hub.sent.http.contains(where: holdsCard))
            hub.sent.http = []
        }
        for page in pages {
            for message in page.client.messages {
                let isHand = message["type"] == "hand"
                #expect(isHand || !holdsCard(JSONWriter.bytes(message)))
                if isHand { check(message, of: page) }
            }
            page.client.clear()
        }
    }

    private func check(_ message: Fields, of page: Page) {
        searched += 1
        if page.hub !== hubs[0] { relayedHands += 1 }
        guard let version = message["v"]?.integer, let seat = message["seat"]?.integer else {
            Issue.record("\(message)")
            return
        }
        let past = fold(at: version)
        #expect(past.playing[Seat(seat)] == page.player?.id && page.player != nil, "\(message)")
        #expect(past.hand(of: Seat(seat)).map { .object($0) } == message["hand"])
    }

    private func fold(at version: Int) -> RoomState {
        if folds.isEmpty { folds = [RoomState(code: code, games: hubs[0].games)] }
        if version >= folds.count {
            for record in hubs[0].storage.records(of: .room(code))[(folds.count - 1)..<version] {
                var next = folds[folds.count - 1]
                do { try next.apply(record) } catch { Issue.record("\(error)") }
                folds.append(next)
            }
        }
        return folds[version]
    }

    /// The shown part of the log, log lines, and what crossed links: there a card is in the messages to one client.
    private func lookAtWhatWasKept() {
        for record in hubs[0].storage.records(of: .room(code)) {
            #expect(!holdsCard(record.event.shown))
            guard record.event.type == "bid-sealed" else { continue }
            let names = EventCoding.shownFields(record)?.names
            #expect(names == ["seat", "seal"] && record.event.sealed?.count ?? 0 > SealedFields.saltSize)
        }
        for hub in hubs {
            #expect(!hub.logged.all.contains { holdsCard($0.utf8) })
        }
        for message in cluster?.messages ?? [] where holdsCard(message.bytes) {
            guard case .relay(_, let relayed) = message else {
                Issue.record("\(message)")
                continue
            }
            switch relayed {
            case .replaceable(_, let text): #expect(text.starts(with: Array(#"{"type":"hand""#.utf8)))
            case .greeting(_, _, let texts):
                #expect(texts.filter(holdsCard).allSatisfy { $0.starts(with: Array(#"{"type":"hand""#.utf8)) })
            default: Issue.record("\(relayed)")
            }
        }
    }
}
