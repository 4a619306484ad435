import JSON

// What is said in a room.
extension RoomModel {
    /// Whether a player has reacted this way. Others may see it after the command has been answered.
    func hasSeen(_ emoji: String, of player: String) -> Bool {
        let reaction = ByteText(player + "/" + emoji)
        if reactions.contains(reaction) { return true }
        let isAsked = asked.values.contains { commands in
            commands.contains { command in
                command.type == "react" && command.may(be: player)
                    && command.message["emoji"]?.string?.hasSameBytes(as: emoji) == true
            }
        }
        if isAsked { reactions.insert(reaction) }
        return isAsked
    }

    /// Whether everyone who was sent the line has left. Of several hubs, those that knew it may be gone, and an
    /// unanswered speaker repeats it.
    private func mayBeForgotten(_ line: Chat.Line) -> Bool {
        context.isCluster
            && !connections.values.contains { connection in
                connection.toldLines.contains { $0.from == line.from && $0.text.hasSameBytes(as: line.text) }
            }
    }

    /// Whether a line of chat was said and not sent before. Marks it as sent.
    func hasSaid(_ line: Chat.Line) -> Bool {
        for (_, commands) in asked.sorted(by: { $0.key.text < $1.key.text }) {
            for command in commands where command.type == "say" && command.may(be: line.from) {
                guard command.message["text"]?.string?.withoutTurns.hasSameBytes(as: line.text) == true,
                    chat.rememberCommand(command.id, of: line.from) || mayBeForgotten(line)
                else { continue }
                chat.append(line)
                return true
            }
        }
        return false
    }
}
