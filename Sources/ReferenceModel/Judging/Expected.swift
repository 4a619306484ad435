import Games
import JSON

/// What must be at one place of a commit: all fields but `v`, `t` and `more`.
struct Expected {
    let type: String
    private var fields: Fields
    /// Fields that may have any value, or be missing.
    private let open: [String]
    /// Whether other fields may exist, too.
    private let isPartial: Bool
    /// What must be sealed of a game's event, with any salt.
    var sealed: Fields?

    /// Leaves out fields that are nil.
    init(_ type: String, _ fields: KeyValuePairs<String, Value?>, open: [String] = [], isPartial: Bool = false) {
        self.init(type, all: Fields(fields.compactMap { name, value in value.map { (name, $0) } }), open, isPartial)
    }

    init(_ type: String, all fields: Fields, _ open: [String] = [], _ isPartial: Bool = false) {
        (self.type, self.fields, self.open, self.isPartial) = (type, fields, open, isPartial)
    }

    /// The difference from a recorded event; nil if there is none. Players who have left by absence may have played
    /// longer by these spans, by seat.
    func difference(from event: RoomEvent, later spans: [Int: ClosedRange<Int>] = [:]) -> String? {
        let actual = event.json
        guard event.type == type else { return "\(event.type) instead of \(type)" }
        if let difference = sealedDifference(from: event.step.sealed) { return "of what is sealed, \(difference)" }
        var ignored = ["v", "t", "type", "more"] + open
        if sealed != nil { ignored.append("seal") }
        if isPartial { ignored += actual.elements.map(\.0).filter { fields[$0] == nil } }
        var expected = fields
        if type == "game-ended", !spans.isEmpty { expected["results"] = results(as: actual, later: spans) }
        return expected.difference(from: actual.object ?? [:], ignoring: ignored)
    }

    private func sealedDifference(from actual: SealedFields?) -> String? {
        switch (sealed, actual) {
        case (nil, nil): nil
        case (let expected?, .known(let found, _)): expected.difference(from: found)
        case (nil, _?): "there should be nothing"
        case (_?, _): "it is missing"
        }
    }

    private func results(as actual: Value, later spans: [Int: ClosedRange<Int>]) -> Value {
        let (expected, found) = (fields["results"]?.list ?? [], actual["results"]?.list ?? [])
        guard expected.count == found.count else { return .list(expected) }
        return .list(
            zip(expected, found).map { result, found in
                guard var fields = result.object, fields["left"] == true, let played = fields["time"]?.integer,
                    let span = fields["seat"]?.integer.flatMap({ spans[$0] }), let time = found["time"]?.integer,
                    span.contains(time - played)
                else { return result }
                fields["time"] = .integer(time)
                return .object(fields)
            })
    }
}

/// The required result of a command.
enum CommandVerdict {
    /// It is refused by one of these codes. The order of checks is not promised.
    case refused(Set<String>)
    /// Its commit begins with these events, and their consequences follow. Empty if there is nothing to do.
    case events([Expected])
    /// It waits until the game has begun.
    case waits
    /// Its effect is not an event.
    case unrecorded
}
