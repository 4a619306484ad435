// Connections that go on with what was read of them and not taken yet. Each takes its share and goes to the end: nobody
// waits for all that another has sent.
extension Loop {
    /// Who had to wait for a new turn, ahead of what comes in this one.
    func resumeDeferred() {
        guard !deferred.isEmpty else { return }
        let list = deferred
        deferred.removeAll(keepingCapacity: true)
        for connection in list { resume(connection) }
    }

    /// Who has become able to in this turn.
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
