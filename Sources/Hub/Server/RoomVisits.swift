// Who waits for a room to be awake, or known not to be.

/// A member who waits for its room.
final class HelloVisit: RoomVisitor {
    let shard: Shard
    let member: Member
    let hello: ClientMessage.Hello

    init(shard: Shard, member: Member, hello: ClientMessage.Hello) {
        (self.shard, self.member, self.hello) = (shard, member, hello)
    }

    func roomIsKnown(_ room: Room) { shard.greet(member, hello) }
}

/// A question that waits for its room.
final class QuestionVisit: RoomVisitor {
    let shard: Shard
    let question: RoomQuestion
    let asker: Int
    let number: UInt64

    init(shard: Shard, question: RoomQuestion, asker: Int, number: UInt64) {
        (self.shard, self.question, self.asker, self.number) = (shard, question, asker, number)
    }

    func roomIsKnown(_ room: Room) {
        let reply: RoomReply =
            switch (room.life, question) {
            case (.awake, .exists): .exists
            case (.awake, .description): .description(JSONWriter.bytes(room.edge.description))
            case (.awake, .row): .row(room.row)
            case (.absent, _): .absent
            case (.unread, _): .unread
            case (.broken, _), (.loading, _), (.naming, _): .broken
            }
        shard.reply(reply, to: asker, number: number)
        shard.letGoIfAbsent(room)
    }
}
