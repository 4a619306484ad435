import EventStore

/// One answer of log or projections, and what is to be done with it: for what is rare.
final class OneAnswer: LogClient {
    private let surroundings: RoomSurroundings
    private let act: (LogMessage) -> Void
    private(set) var ticket: Ticket = 0

    init(_ surroundings: RoomSurroundings, _ act: @escaping (LogMessage) -> Void) {
        self.surroundings = surroundings
        self.act = act
        ticket = surroundings.ticket(for: self)
    }

    func receive(_ message: LogMessage, ticket: Ticket) {
        surroundings.end(ticket)
        act(message)
    }
}
