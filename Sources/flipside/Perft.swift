import ArgumentParser
import Games

/// Counts Reversi's positions after n plies, to compare with published figures, and for speed.
struct Perft: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the positions of Reversi after N plies.",
        discussion: """
            A pass is a ply, and a game that ends earlier is one leaf. The last ply is counted at once, by its moves \
            (bulk counting).
            """)

    @Argument(help: "Plies, from 0 to 13.")
    var plies: Int

    func validate() throws {
        guard (0...13).contains(plies) else { throw ValidationError("N is a number of plies from 0 to 13.") }
    }

    func run() {
        for depth in 0...plies {
            var leaves = 0
            let time = ContinuousClock().measure { leaves = Reversi.Position.start.leaves(after: depth) }
            let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
            let speed = seconds > 0.01 ? ", \(Int(Double(leaves) / seconds / 1e6)) million a second" : ""
            print("\(depth): \(leaves)\(speed)")
        }
    }
}
