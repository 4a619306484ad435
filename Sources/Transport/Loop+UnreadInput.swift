// The connections of a loop that continue with bytes read earlier. Each takes its share and moves to the end, so that
// no other waits for all of its input.
extension Loop {
    /// Continues with the unread bytes and with reading, later in this turn or in the next, if that is possible now.
    func resumeIfPossible(_ connection: Connection) {
        guard connection.canUseInput, connection.hasUnread || !connection.stream.isWatchingInput,
            !connection.isResuming
        else { return }
        connection.isResuming = true
        work.resuming.append(connection)
    }

    /// Resumes those that had to wait for a new turn, before this turn's events.
    func resumeDeferred() { for connection in work.deferred.takeAll() { resume(connection) } }

    /// Resumes those that have become able to continue in this turn.
    func resumeAll() { for connection in work.resuming.takeAll() { resume(connection) } }

    private func resume(_ connection: Connection) {
        if connection.canUseInput, let first = connection.rare?.unread.first,
            !frames.mayTakeFrame(startingWith: first, of: connection)
        {
            return work.deferred.append(connection)
        }
        connection.isResuming = false
        if connection.canUseInput { connection.useUnread() }
    }
}
