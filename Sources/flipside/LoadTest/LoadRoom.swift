import Foundation

/// A room of a load test, with its players, all on one loop.
final class LoadRoom {
    struct Seed: Sendable {
        let index: Int
        let flips: FlipTimes
    }

    private let service: LoadService
    private let seed: Seed
    private(set) var code = ""
    private var players: [LoadMember] = []
    private var cards = KnownCards()
    private var turn = 0
    /// The version of the newest event that the first player has seen.
    private var version = 0
    private var isPlaying = false
    private var hasFailed = false
    private var seatedCount = 0

    private var isFlipping = false
    private var flipCount = 0
    /// When each of the newest flips was due, by number; 0 for one that does not count.
    private var dues = [Int](repeating: 0, count: 16)
    /// Flips in a row to make before those that count.
    private var headStart = 0
    private(set) var hasPlayedAhead = false
    private var games = 0
    /// Cards that differ stay up until then.
    private var revealEnd = 0

    init(_ seed: Seed, for service: LoadService) { (self.seed, self.service) = (seed, service) }

    /// The request for a room that no one can find and whose players have unlimited time.
    static func request(seats: Int) -> String {
        """
        {"game":"memory","visibility":"unlisted","options":{"seats":\(seats),"columns":\(KnownCards.columns),\
        "rows":\(KnownCards.rows),"theme":"numbers","reveal":\(KnownCards.reveal),"turnTime":0}}
        """
    }

    /// Connects the first player, who opens the room.
    func makeHost() {
        add(0)
        service.queue(players[0])
    }

    private func add(_ seat: Int) {
        players.append(LoadMember(.player(seat), of: self, code: code, flips: seed.flips, for: service))
    }

    /// The hub has opened the room, so the others may connect.
    func opened(_ code: String?) {
        guard let code else { return }
        self.code = code
        for seat in 1..<max(1, service.plan.members) {
            add(seat)
            service.queue(players[seat])
        }
    }

    func greeted(_ seat: Int, version: Int) {
        if seat == 0 { self.version = version }
    }

    /// A player has a seat. The game starts with the last one.
    func playerSat() {
        seatedCount += 1
        guard seatedCount == service.plan.members else { return }
        players[0].say(#"{"type":"start","id":"start"}"#)
        service.opened(OpenRoom(code: code, flips: seed.flips))
    }

    /// A player has gone or could not connect, so the room is of no use.
    func playerLost() {
        guard !hasFailed else { return }
        hasFailed = true
        if seatedCount < service.plan.members { service.failedRoom() }
    }

    func leave() {
        // The host closes the room for everyone.
        if let host = players.first, host.isThere { host.say(#"{"type":"close","id":"close"}"#) }
        for player in players { player.leave() }
    }

    // MARK: The game

    /// An event, as the first player sees it.
    func see(_ scan: MessageScan) {
        if let version = scan.version { self.version = max(self.version, version) }
        switch scan.kind {
        case .showCard: shown(scan)
        case .match: cards.match()
        case .hideCard: cards.hide()
        case .turn:
            turn = scan.number(#""seat":"#) ?? 0
            // The first turn of a game is early enough.
            if !isPlaying { revealEnd = nanoseconds() }
            isPlaying = true
            becomeReady()
        case .gameEnded:
            (isPlaying, cards, games) = (false, KnownCards(), games + 1)
            players[0].say(#"{"type":"propose","id":"again\#(games)","what":"rematch"}"#)
        default: break
        }
    }

    private func shown(_ scan: MessageScan) {
        guard let cell = scan.number(#""cell":"#), let face = scan.text(#""face":""#) else { return }
        if isFlipping, dues[flipCount % dues.count] != 0 { service.tally.flipsDone += 1 }
        isFlipping = false
        let differs = cards.show(cell, face: face)
        revealEnd = differs ? nanoseconds() + KnownCards.reveal * 1_000_000 : 0
        if cards.up.count == 1 { becomeReady() }
    }

    private func becomeReady() {
        guard !hasFailed, isPlaying, !isFlipping else { return }
        guard headStart > 0 else { return service.ready(self) }
        headStart -= 1
        if headStart == 0 { service.tally.headStarts += 1 }
        flip(due: nil)
    }

    /// Plays a part of a game by itself, so that not all rooms are at the same point of it. At the start, when no card
    /// is known, most attempts show cards that differ, and the room waits for them to turn down.
    func playAhead() {
        // A share of the rooms makes none; they count too, since they will make at least one flip.
        hasPlayedAhead = true
        headStart = max(1, KnownCards.flipsOfGame * (seed.index * 7 % 16) / 16)
        becomeReady()
    }

    /// Turns a card when it is due or when the game's rules allow it, whichever is later. A flip without `due` does not
    /// count.
    func flip(due: Int?) {
        guard let cell = cards.choose(), turn < players.count else { return }
        isFlipping = true
        flipCount += 1
        let time = due.map { max($0, revealEnd) }
        dues[flipCount % dues.count] = time ?? 0
        if let time { seed.flips.recordFlip(version + 1, due: time) }
        players[turn].say(#"{"type":"flip","id":"f\#(flipCount)","cell":\#(cell)}"#)
    }

    /// `ok` for flip `number`.
    func answered(_ number: Int) {
        guard flipCount - number < dues.count, dues[number % dues.count] != 0 else { return }
        service.tally.answer.record(nanoseconds() - dues[number % dues.count])
    }

    func refused(_ number: Int) {
        if dues[number % dues.count] != 0 { service.tally.flipsRefused += 1 }
        guard number == flipCount, isFlipping else { return }
        isFlipping = false
        service.later(self)
    }

    /// A refused flip is tried again.
    func tryAgain() { becomeReady() }

    /// Every player but the proposer agrees to another game.
    func proposed(_ version: Int, to member: LoadMember) {
        guard let seat = players.firstIndex(where: { $0 === member }), seat > 0 else { return }
        member.say(#"{"type":"answer","id":"yes\#(seat)-\#(version)","agrees":true,"to":\#(version)}"#)
    }
}
