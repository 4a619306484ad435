// Connections that continue with bytes read earlier. Each takes its share and moves to the end, so that no other waits
// for all of its input.
extension Loop {
    /// Resumes connections that had to wait for a new turn, before this turn's events.
    func resumeDeferred() {
        guard !deferred.isEmpty else { return }
        let list = deferred
        deferred.removeAll(keepingCapacity: true)
        for connection in list { resume(connection) }
    }

    /// Resumes connections that have become able to continue in this turn.
    func resumeAll() {
        guard !resuming.isEmpty else { return }
        let list = resuming
        resuming.removeAll(keepingCapacity: true)
        for connection in list { resume(connection) }
    }

    private func resume(_ connection: Connection) {
        if connection.mayResume { connection.resume() } else { deferred.append(connection) }
    }
}
