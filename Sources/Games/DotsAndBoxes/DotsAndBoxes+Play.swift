// The events of commands, of the clock and of players who leave, and how events change the state.
extension DotsAndBoxes {
    /// Each free line.
    public func legalCommands(for seat: Seat) -> [Command] {
        awaited.contains(seat) ? lines.indices.filter { lines[$0] == nil }.map { .draw(line: $0) } : []
    }

    public func opening(at time: Milliseconds) -> [Event] { [turn(at: time)] }

    public func decide(_ command: Command, by seat: Seat, at now: Milliseconds) throws(Rejection) -> [Event] {
        guard !isOver else { throw .notRunning }
        guard playing.contains(seat) else { throw .notYourTurn }
        switch command {
        case .resign: return seat == mover ? withTurn(.resigned(seat), at: now) : [.resigned(seat)]
        case .draw(let line):
            guard seat == mover else { throw .notYourTurn }
            guard lines.indices.contains(line) else { throw .noSuchLine(line, lines: lines.count) }
            guard grid.isFree(line, drawn) else { throw .lineIsDrawn(line) }
            let boxes = grid.boxes(completedBy: line, drawn)
            return withTurn(.drawLine(line: line, seat: seat, boxes: boxes), at: now)
        }
    }

    public func wake(at now: Milliseconds) -> [Event] {
        guard !isOver, let deadline, now >= deadline else { return [] }
        return withTurn(.turnExpired(mover), at: now)
    }

    public func leave(_ seat: Seat, at now: Milliseconds) -> (before: [Event], after: [Event]) {
        guard seat == mover, !isOver else { return ([], []) }
        var rest = self
        rest.applyLeaving(of: seat, at: now)
        return ([], rest.isOver ? [] : [rest.turn(at: now)])
    }

    private func turn(at now: Milliseconds) -> Event {
        .turn(seat: mover, deadline: setup.turnTime.deadline(from: now))
    }

    /// `event` and the turn that follows it, if the game continues.
    private func withTurn(_ event: Event, at now: Milliseconds) -> [Event] {
        var rest = self
        rest.apply(event, at: now)
        return rest.isOver ? [event] : [event, rest.turn(at: now)]
    }

    public mutating func apply(_ event: Event, at time: Milliseconds) {
        clock.latest = time
        guard !isOver else { return }
        switch event {
        case .drawLine(let line, let seat, _): draw(line, by: seat)
        case .turn(_, let deadline): (hasTurn, clock.deadline) = (true, deadline)
        case .turnExpired(let seat): remove(seat, .time, at: time)
        case .resigned(let seat): remove(seat, .resigned, at: time)
        }
    }

    private mutating func draw(_ line: Int, by seat: Seat) {
        guard grid.isFree(line, drawn) else { return }
        let completed = grid.boxes(completedBy: line, drawn)
        for box in completed { boxes[box] = seat }
        lines[line] = seat
        drawn |= 1 << UInt64(line)
        last = line
        (hasTurn, clock.deadline) = (false, nil)
        if completed.isEmpty { mover = next(after: seat) }
    }

    mutating func applyExit(of seat: Seat) {
        if isOver || seat == mover { (hasTurn, clock.deadline) = (false, nil) }
        if seat == mover { mover = next(after: seat) }
    }
}

extension Rejection {
    static func noSuchLine(_ line: Int, lines: Int) -> Rejection {
        Rejection(
            "no-such-line", "There is no line \(line). Lines are numbered from 0 to \(lines - 1).",
            values: ["line": .integer(line), "range": .integers([0, lines - 1])])
    }

    static func lineIsDrawn(_ line: Int) -> Rejection {
        Rejection("line-is-drawn", "This line is already drawn.", values: ["line": .integer(line)])
    }
}
