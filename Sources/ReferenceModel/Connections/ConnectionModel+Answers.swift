import JSON

extension ConnectionModel {
    /// An `ok`.
    func answerSent(_ message: Value, in room: RoomModel) {
        guard let command = takeCommand(answeredBy: message, if: { $0.done(message) }) else {
            if unclearCount > 0 { return unclearCount -= 1 }
            return recordBreach("an answer is to a command", "\(message)")
        }
        room.forget(command)
        AnswerCheck.run({ $0.done(message) }, of: command, on: self, in: room, findings)
        AnswerCheck(self, room, room.log, command, findings).remember()
    }

    /// An `error`.
    func refusalSent(_ message: Value, in room: RoomModel) {
        guard let command = takeCommand(answeredBy: message, if: { $0.refused(message) }) else {
            return refusedWithoutCommand(message)
        }
        // It may have been written before the log failed.
        if message["code"]?.string != "log-unavailable" { room.forget(command) }
        AnswerCheck.run({ $0.refused(message) }, of: command, on: self, in: room, findings)
    }

    /// The command that this answers. Of several with one id some are refused at once and some wait, so their answers
    /// may come in any order. It is the first one for which `check` accepts the answer.
    private func takeCommand(answeredBy message: Value, if check: (AnswerCheck) -> Void) -> AskedCommand? {
        guard let id = message["id"]?.string, let room else { return nil }
        let waiting = commands.indices.filter { commands[$0].id.hasSameBytes(as: id) && commands[$0].isOf(message) }
        // If too many wait, the newest is refused at once.
        guard waiting.count > 1, message["code"]?.string != "busy" else {
            return waiting.last.map { commands.remove(at: $0) }
        }
        let index = waiting.first { index in
            let trial = Findings()
            AnswerCheck.run(check, of: commands[index], on: self, in: room, trial)
            return trial.broken == nil
        }
        return (index ?? waiting.first).map { commands.remove(at: $0) }
    }

    private func refusedWithoutCommand(_ message: Value) {
        switch message["code"]?.string {
        case "unknown-token":
            become(nil)
        case "too-fast":
            expect(
                said.mayBeTooFast(nil, context.rates, at: context.now), "a client that says little is not too fast",
                "\(said)")
            refusedCount += 1
        case "busy", "log-unavailable", "hello-first": refusedCount += 1
        default:
            if unclearCount > 0 { return unclearCount -= 1 }
            recordBreach("an error answers something that was said", "\(message)")
        }
    }
}

extension AskedCommand {
    /// Longer types are cut off in an answer.
    private static let toldLength = 40

    /// Whether the answer may be to this command, by the type that a refusal names.
    fileprivate func isOf(_ answer: Value) -> Bool {
        answer["command"]?.string.map { String(type.prefix(Self.toldLength)).hasSameBytes(as: $0) } ?? true
    }
}
