import Games
import JSON

/// Lists show the room from now on, or no longer. Its code stays the same.
struct VisibilityChanged: OwnEvent {
    static let type = "visibility-changed"

    let visibility: Visibility

    var fields: Fields { ["visibility": .string(visibility.rawValue)] }

    static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        fields["visibility"]?.string.flatMap(Visibility.init).map { Self(visibility: $0) }
    }

    func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        room.facts.visibility = visibility
        return true
    }
}
