import Records

/// What the thread that writes a log delivers: to each inbox in order, and in one delivery as far as possible.
final class LogDeliveries {
    var outbox = Outbox()
    private let catchUps: CatchUps

    init(_ catchUps: CatchUps) { self.catchUps = catchUps }

    func answer(_ append: PendingAppend, _ answer: AppendAnswer) {
        outbox.add(.settled(append.ticket, answer), to: append.answer)
    }

    func tell(_ watchers: [any LogInbox], _ availability: Availability) {
        for watcher in watchers { outbox.add(.availability(availability), to: watcher) }
    }

    /// Its follower has got everything up to `end`. For followers of all streams: a position, and the digest of
    /// nothing.
    func caughtUp(_ catchUp: CatchUp, at end: StreamEnd) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        outbox.add(.caughtUp(catchUp.ticket, version: end.version, head: end.head), to: catchUp.inbox)
    }

    func fail(_ catchUp: CatchUp, _ error: EventLogError) {
        catchUps.remove(catchUp.ticket, catchUp.inbox)
        outbox.add(.followFailed(catchUp.ticket, error), to: catchUp.inbox)
    }

    func flush() { outbox.flush() }
}
