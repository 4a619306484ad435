import Games
import JSON

/// The options of the next game are these, and no others.
struct OptionsChanged: OwnEvent {
    static let type = "options-changed"

    let options: Fields

    var fields: Fields { ["options": .object(options)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        fields["options"]?.object.map { Self(options: $0) }
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.options = options
        return true
    }
}
