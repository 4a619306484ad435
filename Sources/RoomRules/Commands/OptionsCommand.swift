import Games
import JSON

/// Changes these options of the next game, and keeps the others.
struct OptionsCommand: OwnCommand {
    static let type = "options"
    static let isTheHosts = true
    static let whileDealing = WhileDealing.isRefused

    let options: Fields

    init(_ fields: Fields) throws(Rejection) {
        guard let options = fields["options"]?.object else { throw .badField("options", "an object") }
        self.options = options
    }

    func decide(in room: RoomState, by player: PlayerID, _ decision: Decision) throws(Rejection) {
        guard room.phase != .running, let kind = room.kind else { throw .isRunning }
        // Null removes an option that was asked for before.
        let options = try kind.options(room.options.merging(self.options).withoutNulls)
        if let count = options["seats"]?.integer, let last = room.seats.keys.max(), last.rawValue >= count {
            throw .seatTaken(last)
        }
        if options != room.options { decision.add(OptionsChanged(options: options)) }
    }
}
