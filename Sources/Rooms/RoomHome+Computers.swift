import Cryptography
import Games
import RoomRules

// What computer players ask of the room, and what is done where they ask for nothing that can be done.
extension RoomHome {
    public func received(_ reply: ComputerReply) {
        // Of another version: it has been asked anew.
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

    /// A computer's command was refused with `code`, or led to nothing. What came too late for its version is asked for
    /// anew anyway.
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

    /// It is asked once more; then a legal command is given for it, so that the game goes on.
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
        // Before all others: it belongs to this version.
        if let request = request(legal[words.number(below: legal.count)], move) { queue.addFirst(request) }
    }
}
