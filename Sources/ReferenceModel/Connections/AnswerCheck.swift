/// Whether an answer to a command is true.
struct AnswerCheck {
    let connection: ConnectionModel
    let room: RoomModel
    let command: AskedCommand

    private var findings: Findings { connection.findings }
    private var place: String { "connection \(connection.number), room \(room.code)" }

    /// The versions of the commit that it led to; nil where there is none.
    private var commit: ClosedRange<Int>? {
        guard let player = connection.player ?? connection.world.accounts.player(of: command.token) else { return nil }
        return room.commits[ByteText(player + "/" + command.id)]
    }

    /// `ok`.
    func done(_ answer: JSON) {
        guard let version = answer["v"]?.number else {
            return findings.note("ok has the version of the last event", "\(place): \(answer)")
        }
        if let commit {
            findings.expect(
                version == commit.upperBound, "ok has the version of the last event",
                "\(place): \(answer) instead of \(commit.upperBound)")
        } else {
            findings.expect(
                version >= command.askedBehind && version <= room.version,
                "ok has the room's version where nothing was done",
                "\(place): \(answer), the room is at \(room.version)")
        }
        findings.expect(
            !connection.isGreeted || connection.next > version, "ok comes behind its events",
            "\(place): \(answer) before \(connection.next)")
    }

    /// `error`.
    func refused(_ answer: JSON) {
        guard let code = answer["code"]?.text, answer["message"]?.text != nil else {
            return findings.note("an error has a code and a message", "\(place): \(answer)")
        }
        if ["log-unavailable", "busy", "too-fast"].contains(code) { return }
        findings.expect(
            commit == nil, "what is refused has changed nothing",
            "\(place): \(answer), but \(command.message) was recorded")
    }
}
