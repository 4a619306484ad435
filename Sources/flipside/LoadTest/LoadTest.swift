import Foundation
import Transport

/// Runs a load test: tells the loops what to do and when, and waits for the results.
struct LoadTest {
    let plan: LoadPlan
    let progress: LoadProgress

    private let transport: TransportServer
    private let board: TallyBoard

    /// Throws if this machine cannot run it.
    init(_ plan: LoadPlan, progress: LoadProgress) throws {
        let fitting = DescriptorLimit.fit(connections: plan.connections, loops: plan.threads)
        guard fitting >= plan.connections else {
            throw CommandLineError(
                "This machine lets a program have \(fitting) connections, but the test needs \(plan.connections): "
                    + "raise `ulimit -n`.")
        }
        var options = TransportOptions(addresses: [])
        options.loops = plan.threads
        options.connectionLimit = 1
        let board = TallyBoard(loops: plan.threads)
        (self.plan, self.progress, self.board) = (plan, progress, board)
        transport = try TransportServer(options, clock: ClientClock()) { LoadService(plan, $0, board) }
    }

    func run() throws -> LoadResult {
        try transport.start()
        defer { transport.shutdown() }
        let began = nanoseconds()
        var result = LoadResult(plan)
        open()
        if board.sum.failedRooms == 0 { watch() }
        result.setupTime = nanoseconds() - began
        if isWhole {
            if let rate = plan.flips, rate > LoadPlan.slowestRate {
                post(.playAhead)
                wait("playing ahead") { $0.headStarts >= plan.rooms }
            }
            result.setupTime = nanoseconds() - began
            result.playTime = play()
            if plan.reconnects > 0 { comeBack(&result) }
        }
        result.tally = report()
        post(.leave)
        return result
    }

    // MARK: Setting up

    private func open() {
        var seeds: [[LoadRoom.Seed]] = Array(repeating: [], count: plan.threads)
        for index in 0..<plan.rooms {
            seeds[index % plan.threads].append(LoadRoom.Seed(index: index, flips: FlipTimes()))
        }
        for (loop, seeds) in zip(transport.loops, seeds) { loop.post(LoadCommand.open(seeds)) }
        wait("opening rooms") { $0.rooms.count + $0.failedRooms >= plan.rooms }
    }

    private func watch() {
        let rooms = board.sum.rooms
        for room in rooms { spread(plan.spectators, over: [room], as: .spectator) }
        spread(plan.slowReaders, over: rooms, as: .slowReader)
        let count = plan.rooms * plan.spectators + plan.slowReaders
        wait("connecting watchers") { $0.watchers + $0.slowReaders + $0.failedWatchers >= count }
    }

    /// Over all loops, whichever have the rooms' players.
    private func spread(_ count: Int, over rooms: [OpenRoom], as manner: Watching.Manner) {
        var lists: [[Watching]] = Array(repeating: [], count: plan.threads)
        let share = (count + rooms.count * plan.threads - 1) / max(1, rooms.count * plan.threads)
        var left = count
        var slot = Int.random(in: 0..<plan.threads)
        for room in rooms {
            for _ in 0..<plan.threads where left > 0 {
                lists[slot % plan.threads].append(Watching(room: room, manner: manner, count: min(share, left)))
                left -= min(share, left)
                slot += 1
            }
        }
        for (loop, list) in zip(transport.loops, lists) where !list.isEmpty { loop.post(LoadCommand.watch(list)) }
    }

    /// Whether all rooms opened and all watchers connected.
    private var isWhole: Bool {
        let sum = board.sum
        return sum.rooms.count == plan.rooms && sum.failedRooms == 0 && sum.failedWatchers == 0
    }

    // MARK: Playing

    /// Makes flips at their times; returns how long that took, in nanoseconds.
    private func play() -> Int {
        let rooms = board.sum.rooms
        // If nothing is due at fixed times, the thread only wakes up to show progress.
        let ticksASecond = plan.flips == nil && plan.newcomers == 0 ? 20 : 1_000
        let tick = 1_000_000_000 / ticksASecond
        let perTick = (plan.flips ?? 0) * Double(plan.rooms) * Double(tick) / 1e9
        let newcomersPerTick = plan.newcomers * Double(tick) / 1e9
        let start = nanoseconds()
        post(.play)
        for number in 1...plan.seconds * ticksASecond {
            let due = start + number * tick
            sleep(until: due)
            // Each loop gets flips in proportion to its rooms.
            for (index, loop) in transport.loops.enumerated() {
                let part = Double((plan.rooms + plan.threads - 1 - index) / plan.threads) / Double(plan.rooms)
                let count = Self.whole(number, perTick * part)
                if count > 0 { loop.post(LoadCommand.flip(count, due: due)) }
            }
            let newcomers = Self.whole(number, newcomersPerTick)
            if newcomers > 0 { transport.loops[number % plan.threads].post(LoadCommand.welcome(newcomers, of: rooms)) }
            // Before each full second the loops are asked for reports, and have a tenth of it to answer.
            if number % ticksASecond == ticksASecond * 9 / 10 {
                post(.second)
                post(.report)
            }
            if number.isMultiple(of: ticksASecond) {
                progress.show(board.sum, "flips", seconds: number / ticksASecond)
            }
        }
        post(.stopPlaying)
        return drain() - start
    }

    /// How many come with tick `number`, at `rate` per tick.
    private static func whole(_ number: Int, _ rate: Double) -> Int {
        Int(Double(number) * rate) - Int(Double(number - 1) * rate)
    }

    /// Waits for flips that are due, and for their last deliveries. Returns when the last flip was done.
    private func drain() -> Int {
        let end = nanoseconds() + Int(LoadPlan.drainTime / .nanoseconds(1))
        var sum = report()
        while sum.flipsDone + sum.flipsRefused < sum.flipsDue, nanoseconds() < end {
            sleep(until: nanoseconds() + 10_000_000)
            sum = report()
        }
        let done = nanoseconds()
        var last = -1
        while sum.deliveries != last, nanoseconds() < end {
            last = sum.deliveries
            sleep(until: nanoseconds() + 200_000_000)
            sum = report()
        }
        return done
    }

    // MARK: Reconnecting

    private func comeBack(_ result: inout LoadResult) {
        spread(plan.reconnects, over: board.sum.rooms, as: .returning)
        wait("connecting watchers who will return") { $0.returning + $0.failedWatchers >= plan.reconnects }
        let count = board.sum.returning
        post(.scatter)
        let end = nanoseconds() + Int(LoadPlan.returnTime / .nanoseconds(1))
        wait("coming back", until: end) { $0.returned >= count }
        result.hasReturned = true
    }

    // MARK: Waiting

    private func post(_ command: LoadCommand) { for loop in transport.loops { loop.post(command) } }

    /// What the loops have counted so far.
    private func report() -> LoadTally {
        let before = board.reports
        post(.report)
        while board.reports < before + plan.threads { sleep(until: nanoseconds() + 1_000_000) }
        return board.sum
    }

    /// Waits until `isDone`, or until nothing has changed for longer than a connection may take.
    private func wait(_ what: String, until end: Int = .max, _ isDone: (LoadTally) -> Bool) {
        var (changed, last, shown) = (nanoseconds(), -1, nanoseconds())
        while true {
            let sum = report()
            let now = nanoseconds()
            if isDone(sum) || now > end { return }
            let steps = sum.connect.count + sum.welcome.count + sum.faults.count + sum.receivedBytes
            if steps != last { (changed, last) = (now, steps) }
            if now - changed > 2 * Int(LoadPlan.connectTime / .nanoseconds(1)) { return }
            if now - shown >= 1_000_000_000 {
                progress.show(sum, what, seconds: nil)
                shown = now
            }
            sleep(until: now + 20_000_000)
        }
    }

    private func sleep(until time: Int) {
        var end = timespec(tv_sec: time / 1_000_000_000, tv_nsec: time % 1_000_000_000)
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nil) == EINTR {}
    }
}
