import Games
import JSON

/// The options of the next game are these, and no others.
struct OptionsChanged: OwnEvent {
    static let type = "options-changed"

    let options: Fields
}

extension OptionsChanged {
    var fields: Fields { ["options": .object(options)] }

    init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let options = fields["options"]?.object else { return nil }
        self.init(options: options)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.options = options
        return true
    }
}
