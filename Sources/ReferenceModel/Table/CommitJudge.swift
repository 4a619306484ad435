/// Holds one commit of a room against what it must have come from.
struct CommitJudge {
    struct TimedStep {
        let step: RoomFold.Step
        let time: Int
    }

    let room: RoomModel
    let events: [LoggedEvent]

    /// What the commit does; what is wrong with it is noted.
    mutating func steps() -> [TimedStep] {
        var last = room.durable.time
        return events.map { event in
            guard let json = JSONParser.read(event.shown), json["v"]?.number == event.version,
                let time = json["t"]?.number, json["type"]?.text != nil,
                event.shown.eventVersion(from: 0) == event.version
            else {
                room.findings.note(
                    "an event is {v, t, type, ...}", "\(place(event)): \(String(decoding: event.shown, as: UTF8.self))")
                return TimedStep(step: .other(.null, sealed: nil), time: last)
            }
            room.findings.expect(
                time >= last, "a room's times never go back", "\(place(event)): \(time) behind \(last)")
            last = time
            return TimedStep(step: .other(json, sealed: event.sealed), time: time)
        }
    }

    private func place(_ event: LoggedEvent) -> String { "room \(room.code), version \(event.version)" }
}
