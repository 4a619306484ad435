/// A connection that has time-outs: one alarm, which is set when the next of them comes nearer and left alone when it
/// moves away. So a connection in use costs the heap nothing.
protocol TimedConnection: AnyObject {
    var loop: Loop { get }
    var token: UInt64 { get }
    /// When the loop looks next whether a time-out is due; `.max` if nothing is armed.
    var alarm: Milliseconds { get set }
    /// When the time-out of the state it is in will be due; `.max` if it has none.
    var deadline: Milliseconds { get }
    /// When the next ping will be due once the peer has answered the one before: long before its silence. `.max` if
    /// none is to be answered.
    var nextPing: Milliseconds { get }

    /// The deadline has come.
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
