import Foundation
import Transport
import WebProtocols

/// One loop's part of a load test.
final class LoadService: ClientService {
    let plan: LoadPlan
    let context: LoopContext
    var tally = LoadTally()
    private let board: TallyBoard
    /// Starts anywhere, since names of earlier tests are taken.
    private var nextName: Int
    private var connections = 0

    private var rooms: [LoadRoom] = []
    private var watchers: [LoadMember] = []
    private var newcomers: [LoadMember] = []
    /// Members that connect as soon as fewer others are connecting.
    private var queued = WaitingLine<LoadMember>()
    private var coming = 0

    private var isPlaying = false
    private var arePlayingAhead = false
    /// Rooms that wait for the next flip, the longest-waiting first.
    private var readyRooms = WaitingLine<LoadRoom>()
    /// The due times of flips that no room was ready for.
    private var waiting = WaitingLine<Int>()
    private var scatteredAt = 0

    /// The actions of timers, by their tokens.
    private var timers: [UInt64: () -> Void] = [:]
    private var nextTimer: UInt64 = 0

    init(_ plan: LoadPlan, _ context: LoopContext, _ board: TallyBoard) {
        (self.plan, self.context, self.board) = (plan, context, board)
        nextName = Int.random(in: 1_000_000..<900_000_000)
    }

    func newName() -> String {
        nextName += 1
        return "Bench \(nextName)"
    }

    /// Numbers this loop's connections; each loop starts at another number.
    func nextNumber() -> Int {
        connections += 1
        return connections + context.index
    }

    // MARK: Commands

    func postsArrived(_ posted: [any Sendable]) {
        for case let command as LoadCommand in posted { run(command) }
    }

    private func run(_ command: LoadCommand) {
        switch command {
        case .open(let seeds):
            for seed in seeds {
                let room = LoadRoom(seed, for: self)
                rooms.append(room)
                room.makeHost()
            }
        case .watch(let list): for entry in list { watch(entry) }
        case .playAhead:
            arePlayingAhead = true
            dealAsReady()
        case .play:
            arePlayingAhead = false
            isPlaying = true
            if plan.flips == nil { dealAsReady() }
        case .flip(let count, let due): for _ in 0..<count { flip(due: due) }
        case .welcome(let count, let rooms):
            for _ in 0..<count { if let room = rooms.randomElement() { come(.newcomer, to: room) } }
        case .stopPlaying: isPlaying = false
        case .scatter: scatter()
        case .second: passSecond()
        case .report: report()
        case .leave:
            for room in rooms { room.leave() }
            for member in watchers + newcomers { member.leave() }
        }
    }

    private func report() {
        (tally.sentBytes, tally.receivedBytes) = context.clientBytes
        board.put(tally, of: context.index)
    }

    // MARK: Connections

    private func watch(_ entry: Watching) {
        for _ in 0..<entry.count { come(.watcher(entry.manner), to: entry.room) }
    }

    private func come(_ role: LoadMember.Role, to room: OpenRoom) {
        let member = LoadMember(role, of: nil, code: room.code, flips: room.flips, for: self)
        if role == .newcomer { newcomers.append(member) } else { watchers.append(member) }
        // Newcomers do not wait.
        if role == .newcomer { member.come() } else { queue(member) }
    }

    func queue(_ member: LoadMember) {
        queued.append(member)
        startQueued()
    }

    private func startQueued() {
        while coming < LoadPlan.setupLimit, let member = queued.popFirst() {
            coming += 1
            member.come()
        }
    }

    /// It has connected for the first time.
    func arrived(_ member: LoadMember) {
        switch member.role {
        case .player: tally.players += 1
        case .watcher(.spectator): tally.watchers += 1
        case .watcher(.slowReader): tally.slowReaders += 1
        case .watcher(.returning): tally.returning += 1
        case .newcomer:
            tally.newcomers += 1
            return
        }
        coming -= 1
        startQueued()
    }

    /// It has gone, or could not connect.
    func gone(_ member: LoadMember, wasThere: Bool) {
        switch (member.role, wasThere) {
        case (.watcher(.slowReader), true): tally.cutSlowReaders += 1
        case (.newcomer, _): tally.failedNewcomers += 1
        case (.watcher, false): tally.failedWatchers += 1
        case (.player, false): break
        case (_, true): tally.lost += 1
        }
        guard !wasThere, member.role != .newcomer else { return }
        coming -= 1
        startQueued()
    }

    func opened(_ room: OpenRoom) { tally.rooms.append(room) }
    func failedRoom() { tally.failedRooms += 1 }

    private func scatter() {
        scatteredAt = nanoseconds()
        for member in watchers where member.role == .watcher(.returning) && member.isThere { member.drop() }
    }

    func returned() {
        tally.returned += 1
        tally.returnTime = nanoseconds() - scatteredAt
    }

    private func passSecond() {
        for member in watchers where member.role == .watcher(.slowReader) { member.readOnce() }
        newcomers.removeAll { member in
            guard member.isThere, context.now - member.arrival >= LoadPlan.stay else { return member.stage == .gone }
            member.leave()
            return true
        }
    }

    // MARK: Flips

    /// A flip is due. The room that has waited longest makes it, or the next one that can.
    private func flip(due: Int) {
        tally.flipsDue += 1
        guard let room = readyRooms.popFirst() else { return waiting.append(due) }
        tally.lateness.record(nanoseconds() - due)
        room.flip(due: due)
    }

    /// A room's game allows a flip.
    func ready(_ room: LoadRoom) {
        if arePlayingAhead, !room.hasPlayedAhead { return room.playAhead() }
        if plan.flips == nil, isPlaying {
            tally.flipsDue += 1
            return room.flip(due: nanoseconds())
        }
        guard let due = waiting.popFirst() else { return readyRooms.append(room) }
        room.flip(due: due)
    }

    private func dealAsReady() {
        var rooms = readyRooms
        readyRooms = WaitingLine()
        while let room = rooms.popFirst() { ready(room) }
    }

    // MARK: Later

    func later(_ room: LoadRoom) { later(in: 100) { room.tryAgain() } }
    func later(_ member: LoadMember, in time: Int) { later(in: time) { member.come() } }

    private func later(in time: Int, _ body: @escaping () -> Void) {
        nextTimer += 1
        timers[nextTimer] = body
        context.arm(at: context.now + time, token: nextTimer)
    }

    func timerFired(_ timer: UInt64) { timers.removeValue(forKey: timer)?() }
}

/// Elements in the order in which they came.
private struct WaitingLine<Element> {
    private var elements: [Element] = []
    private var head = 0

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        defer {
            head += 1
            if head == elements.count { (elements, head) = ([], 0) }
        }
        return elements[head]
    }
}
