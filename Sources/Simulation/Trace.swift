/// Prints what happens in one room, and to the hubs, as it happens: for understanding what a seed has found.
public struct Trace {
    let room: String?
    let tell: (String) -> Void

    /// `room` is its code; nil for all. `tell` gets one line at a time.
    public init(ofRoom room: String?, tell: @escaping (String) -> Void) { (self.room, self.tell) = (room, tell) }
}

extension World {
    /// `room` is the subject; nil for a hub. The line begins with milliseconds of the world and of each hub.
    func trace(_ what: @autoclosure () -> String, room: String? = nil) {
        guard let trace, room == nil || trace.room == nil || room == trace.room else { return }
        let times = nodes.map { $0.process.map { "\($0.now - SimulatedMachine.start / 1_000_000)" } ?? "down" }
        trace.tell("\(now / 1_000) (\(times.joined(separator: ", "))) \(what())")
    }

    /// The same, with the bytes of a message.
    func trace(_ what: @autoclosure () -> String, _ bytes: [UInt8], from start: Int = 0, room: String?) {
        guard trace != nil else { return }
        trace("\(what()) \(String(decoding: bytes[start...], as: UTF8.self))", room: room)
    }
}
