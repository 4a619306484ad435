import Games

// How a room makes up for time in which it could not be played. Nothing else moves its deadlines.
extension RoomState {
    /// The event that makes up for `outages` and the room's `own`, or none if all are made up for. Their time counts
    /// neither for a turn nor for the length of a game. The room's time is ahead of theirs by `lead`.
    public func extendClock(over outages: Outages, own: Outages = Outages(), lead: Milliseconds = 0) -> [RoomEvent] {
        guard isInGame || proposal != nil,
            let (span, until) = outages.missed(by: code, since: max(extendedUntil, time) - lead, own: own)
        else { return [] }
        return [.own(ClockExtended(span: span, until: until + lead, deadline: deadline.map { $0 &+ span }))]
    }
}
