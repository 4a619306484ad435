import Cryptography
import JSON

extension DotsAndBoxes {
    /// Five strengths, each of which beats the one below it in about eight games of ten. The first two only sometimes
    /// use what they know. From the third on they play the end of a game of two without a mistake. The upper two also
    /// try out their moves, before the end and with more players.
    public struct Computer: ComputerPlayer {
        public static let levels = ["1", "2", "3", "4", "5"]

        /// How far a level sees.
        struct Strength: Equatable, Sendable {
            var habits = Habits.best
            /// With at most this many free lines it plays out a game of two.
            var exact = 0
            /// Lines that it may draw to try out its moves; 0 plays by its habits.
            var trials = 0
        }

        static let strengths: [String: Strength] = [
            "1": weakest, "2": Strength(habits: Habits(takes: 100, isCareful: 80, counts: 80)),
            "3": Strength(exact: 20), "4": Strength(exact: 20, trials: 4_000), "5": Strength(exact: 26, trials: 50_000),
        ]
        private static let weakest = Strength(habits: Habits(takes: 95, isCareful: 40, counts: 40))
        /// Positions that it may search to play a game out, less than 100 ms' work. If that is not enough, it plays as
        /// before the end.
        static let budget = 300_000

        private let strength: Strength
        private var words: RandomWords

        public init(level: String, seat: Seat, seed: Digest) {
            // Callers choose from `levels`; an unknown level plays as the weakest.
            self.init(Self.strengths[level] ?? Self.weakest, seed: seed)
        }

        init(_ strength: Strength, seed: Digest) { (self.strength, words) = (strength, RandomWords(seed: seed)) }

        /// Ignored, since the board shows everything.
        public mutating func see(_ event: Event, in game: PublicGame<DotsAndBoxes>) {}

        public mutating func move(in game: PublicGame<DotsAndBoxes>, hand: Fields?, isStopped: () -> Bool) -> Command? {
            line(in: game.state, isStopped: isStopped).map { .draw(line: $0) }
        }

        /// Its move; nil if there is none, or if it was stopped.
        mutating func line(in game: DotsAndBoxes, isStopped: () -> Bool) -> Int? {
            guard !game.isOver else { return nil }
            var dice = Dice(state: UInt64(words.next()) << 32 | UInt64(words.next()))
            let position = Position(game)
            let isExact = position.boxes.count == 2 && position.freeCount <= strength.exact
            guard isExact || strength.trials > 0 else { return position.line(by: strength.habits, &dice) }
            var lines = position.candidates
            guard lines.count > 1 else { return lines.first }
            // Any of several equal moves may come first.
            words.shuffle(&lines)
            return withoutActuallyEscaping(isStopped) { isStopped in
                if isExact {
                    var solver = BoxSolver(
                        game.grid, free: position.freeCount, budget: Self.budget, isStopped: isStopped)
                    if let line = solver.bestLine(among: lines, on: position.drawn) { return line }
                }
                guard strength.trials > 0 else { return position.line(by: strength.habits, &dice) }
                return position.bestLine(among: lines, budget: strength.trials, &dice, isStopped: isStopped)
            }
        }
    }

    /// How often, of a hundred moves, a player does what it knows.
    struct Habits: Equatable, Sendable {
        /// Takes a box that it can take.
        let takes: Int
        /// Avoids lines that let the next player take a box.
        let isCareful: Int
        /// Opens the shortest chain, and leaves boxes to the other if that costs the other more.
        let counts: Int

        static let best = Habits(takes: 100, isCareful: 100, counts: 100)
    }

    /// What a computer looks at: the lines, and the boxes of those who are not out, in the order of turns, beginning
    /// with the player to move.
    struct Position {
        let grid: Grid
        var drawn: UInt64
        var boxes: [Int]
        var mover = 0

        init(_ game: DotsAndBoxes) {
            (grid, drawn) = (game.grid, game.drawn)
            let seats = game.playing
            let index = seats.firstIndex(of: game.mover) ?? 0
            boxes = (seats[index...] + seats[..<index]).map { game.score(of: $0) }
        }

        var free: UInt64 { grid.all & ~drawn }
        var freeCount: Int { free.nonzeroBitCount }

        mutating func draw(_ line: Int) {
            let gain = grid.gain(of: line, drawn)
            drawn |= 1 << UInt64(line)
            boxes[mover] += gain
            if gain == 0 { mover = mover + 1 == boxes.count ? 0 : mover + 1 }
        }

        /// Lines that are worth considering.
        var candidates: [Int] {
            switch grid.choice(drawn) {
            case .take(let line): [line]
            case .deal(let take, let leave): [take, leave]
            case .open:
                (0..<grid.lineCount).filter { grid.safe(drawn) >> UInt64($0) & 1 == 1 }
                    + grid.chains(drawn).map(\.line)
            }
        }

        func line(by habits: Habits, _ dice: inout Dice) -> Int {
            func does(_ percent: Int) -> Bool { percent == 100 || dice.number(below: 100) < percent }
            let taking = grid.taking(drawn)
            if taking != 0, does(habits.takes) {
                guard does(habits.counts) else { return dice.any(of: taking) }
                switch grid.choice(drawn) {
                case .take(let line): return line
                case .deal(let take, let leave): return leaves(leave) ? leave : take
                case .open: break
                }
            }
            let safe = grid.safe(drawn)
            if safe != 0, does(habits.isCareful) { return dice.any(of: safe) }
            guard safe == 0, does(habits.counts) else { return dice.any(of: free) }
            return grid.chains(drawn).min { $0.length < $1.length }?.line ?? dice.any(of: free)
        }

        /// Whether to leave boxes by `line`, so that the other of two must open a long chain.
        private func leaves(_ line: Int) -> Bool {
            let after = drawn | 1 << UInt64(line)
            let rest = after | grid.taking(after)
            guard boxes.count == 2, grid.safe(rest) == 0 else { return false }
            return grid.chains(rest).min { $0.length < $1.length }.map { $0.length > 2 } ?? false
        }

        /// Plays many games from each of `lines` and returns the one with the best results; nil if it was stopped.
        func bestLine(among lines: [Int], budget: Int, _ dice: inout Dice, isStopped: () -> Bool) -> Int? {
            var totals = Array(repeating: 0, count: lines.count)
            for _ in 0..<max(1, budget / (lines.count * freeCount)) {
                for (index, line) in lines.enumerated() {
                    if isStopped() { return nil }
                    var trial = self
                    trial.draw(line)
                    while trial.drawn != grid.all { trial.draw(trial.line(by: .best, &dice)) }
                    let margin = trial.boxes[0] - (trial.boxes.dropFirst().max() ?? 0)
                    // A win counts most, and then by how much.
                    totals[index] += 32 * margin.signum() + margin
                }
            }
            return zip(totals, lines).max { $0.0 < $1.0 }?.1
        }
    }
}
