/// A connection with time-outs. It has one alarm, which is set when the next time-out gets closer and left alone when
/// it moves away, so a connection in use costs the heap nothing.
protocol TimedConnection: AnyObject {
    var loop: Loop { get }
    var token: UInt64 { get }
    /// When the loop next checks whether a time-out is due; `.max` if no alarm is set.
    var alarm: Milliseconds { get set }
    /// When the time-out of the current state is due; `.max` if it has none.
    var deadline: Milliseconds { get }
    /// When the next ping is due if the peer answers the last one, long before it counts as silent; `.max` if no answer
    /// is expected.
    var nextPing: Milliseconds { get }

    func timedOut()
}

extension TimedConnection {
    func schedule() {
        let time = min(deadline, nextPing)
        guard time < alarm else { return }
        alarm = time
        loop.alarms.insert(token, at: time)
    }

    /// An alarm set for `time` has come.
    func wake(for time: Milliseconds) {
        guard time == alarm else { return }
        alarm = .max
        if deadline <= loop.now { timedOut() } else { schedule() }
    }
}
