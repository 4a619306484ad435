import Games
import JSON

/// Lists show the room from now on, or no longer. Its code stays the same.
struct VisibilityChanged: OwnEvent {
    static let type = "visibility-changed"

    let visibility: Visibility

    var fields: Fields { ["visibility": .string(visibility.rawValue)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        guard let visibility = fields["visibility"]?.string.flatMap(Visibility.init) else { return nil }
        return Self(visibility: visibility)
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.visibility = visibility
        return true
    }
}
