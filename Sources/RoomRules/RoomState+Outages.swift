import Games

// How a room makes up for time in which it could not be played: its deadlines are moved by nothing else.
extension RoomState {
    /// Time in which the room could not be played does not count, for a turn or for the time that a game took: an event
    /// if any of `outages`, or of those that are its own, has not been made up for yet. `lead`: how far the room's time
    /// is ahead of theirs.
    public func extendClock(over outages: Outages, own: Outages = Outages(), lead: Milliseconds = 0) -> [RoomEvent] {
        guard isInGame || proposal != nil,
            let (span, until) = outages.missed(by: code, since: max(extendedUntil, time) - lead, own: own)
        else { return [] }
        return [.own(ClockExtended(span: span, until: until + lead, deadline: deadline.map { $0 &+ span }))]
    }
}
