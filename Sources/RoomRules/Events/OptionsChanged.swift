import Games
import JSON

/// The options of the next game are these, and no others.
struct OptionsChanged: OwnEvent {
    static let type = "options-changed"

    let options: Fields

    var fields: Fields { ["options": .object(options)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let options = fields["options"]?.object else { return nil }
        return Self(options: options)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.options = options
        return true
    }
}
