import Games
import WebProtocols

/// The connections to a shard's rooms: brings them in, reads what they say, and gives each command to the home of its
/// room.
final class MemberDesk {
    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let hellos: HelloDesk

    init(surroundings: RoomSurroundings, rooms: AwakeRooms, accounts: AccountReader) {
        (self.surroundings, self.rooms) = (surroundings, rooms)
        hellos = HelloDesk(surroundings: surroundings, accounts: accounts)
    }

    func turnBegan() { hellos.turnBegan() }

    /// Greets those who were too many for the turn before.
    func greetWaiting() { hellos.greetWaiting() }

    /// A connection to the room `code`, upgraded. Nil where it had to be closed at once.
    func enter(_ channel: any MemberChannel, room code: String) -> Member? {
        guard let room = rooms.wake(code), room.edge.members.count < surroundings.limits.membersPerRoom else {
            if rooms[code] != nil { surroundings.counters.hit(.membersPerRoom) }
            channel.close(.tryAgainLater, "this room has too many connections")
            return nil
        }
        let member = Member(channel: channel, room: room, now: surroundings.now)
        room.edge.enter(member)
        surroundings.counters.members.add(1)
        return member
    }

    func closed(_ member: Member) {
        member.room.edge.leave(member)
        rooms.letGoIfAbsent(member.room)
        surroundings.counters.members.add(-1)
    }

    /// A text message of a member.
    func received(_ bytes: RawSpan, from member: Member) {
        guard member.stage != .closed else { return }
        do throws(Rejection) { try member.takeMessage() } catch {
            surroundings.counters.refused(error)
            return member.refuse(error)
        }
        do throws(ClientMessage.Refusal) {
            handle(try ClientMessage.read(bytes), from: member)
        } catch {
            if let limit = error.limit { surroundings.counters.hit(limit) }
            surroundings.counters.refused(error.rejection)
            member.answer(HubMessage.error(error.id, error.rejection))
        }
    }

    private func handle(_ message: ClientMessage, from member: Member) {
        if member.stage == .identifying, message.mustWaitForHello { return hellos.keep(message, of: member) }
        switch message {
        case .hello(let hello):
            hellos.identify(member, hello) { [self] early in for message in early { handle(message, from: member) } }
        case .ping(let number): member.answer(HubMessage.pong(number, now: member.room.stream.now))
        case .command(let id, let type, let fields): command(type, fields, id: id, from: member)
        }
    }

    private func command(_ type: String, _ fields: Fields, id: String, from member: Member) {
        let room = member.room
        do throws(Rejection) {
            guard member.stage != .new else { throw .helloFirst }
            if let message = try Chat.Message(type: type, fields: fields) {
                surroundings.counters.commands.add(type)
                guard member.player != nil else { throw .noName }
                return room.edge.handle(message, id: id, from: member)
            }
            guard let command = try RoomCommand(type: type, fields: fields, game: room.stream.state.kind) else {
                throw .unknownType(type)
            }
            surroundings.counters.commands.add(type)
            guard let player = member.player?.id else { throw .noName }
            let asker = RoomRequest.Asker.member(player, ReplyAddress(member: member.id, id: id))
            room.edge.home.handle(
                RoomRequest(
                    asker, command, sent: GameStep(type: type, fields: fields), at: room.stream.now,
                    read: surroundings.turn.began))
        } catch {
            surroundings.counters.refused(error)
            member.answer(HubMessage.error(id, error))
        }
    }
}
