import Cryptography
import Games
import RoomRules

// What computer players ask of the room, and what happens if they give no legal command.
extension RoomHome {
    public func received(_ reply: ComputerReply) {
        // A reply for another version is dropped, since the computer was asked again.
        guard computers.isAwaited(reply) else { return }
        let move = ComputerMove(seat: reply.computer.seat, version: reply.version, isLastResort: false)
        if let command = reply.command {
            if let request = request(command, move) { handle(request) }
        } else {
            computerFailed(move, command: nil, code: nil)
            proceed()
        }
    }

    private func request(_ command: GameStep, _ move: ComputerMove) -> RoomRequest? {
        stream.state.playing[move.seat].map { player in
            RoomRequest(.computer(move, player), .game(command), at: stream.now)
        }
    }

    /// A computer's command was refused with `code`, or changed nothing. One that came too late for its version is
    /// asked for again anyway.
    func computerFailed(_ request: RoomRequest, code: String?) {
        guard let move = request.asker.move, move.version == stream.state.version,
            case .game(let step) = request.command
        else { return }
        guard !move.isLastResort else {
            return gameFailed(
                GameFault(
                    version: move.version + 1, event: nil, reason: "a legal command, `\(step.type)`, is not taken"),
                at: .request(request))
        }
        computerFailed(move, command: step.type, code: code)
    }

    /// Asks it again, and then gives a legal command for it, so that the game continues.
    private func computerFailed(_ move: ComputerMove, command: String?, code: String?) {
        if !computers.isAskedAgain(move.seat, failing: command, code: code) { giveLegalCommand(for: move.seat) }
    }

    private func giveLegalCommand(for seat: Seat) {
        let version = stream.state.version
        let legal = stream.state.game?.legalSteps(for: seat) ?? []
        guard let seed = Digest(bytes: surroundings.random.bytes(Digest.size)), !legal.isEmpty else {
            let fault = GameFault(
                version: version + 1, event: nil, reason: "whose turn it is has no legal command")
            return gameFailed(fault, at: .room)
        }
        var words = RandomWords(seed: seed)
        let move = ComputerMove(seat: seat, version: version, isLastResort: true)
        // Before all others, since it is for this version.
        if let request = request(legal[words.number(below: legal.count)], move) { queue.addFirst(request) }
    }
}
