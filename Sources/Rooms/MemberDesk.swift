import Games
import JSON
import RoomRules
import WebProtocols

/// The connections to a shard's rooms. Lets them enter, reads their messages, and passes commands to a room's home.
public final class MemberDesk {
    private let surroundings: RoomSurroundings
    private let rooms: AwakeRooms
    private let hellos: HelloDesk

    public init(surroundings: RoomSurroundings, rooms: AwakeRooms, players: any PlayerFinder) {
        (self.surroundings, self.rooms) = (surroundings, rooms)
        hellos = HelloDesk(surroundings: surroundings, players: players)
    }

    public func turnBegan() { hellos.turnBegan() }

    /// Greets members that did not fit into the last turn.
    public func greetWaiting() { hellos.greetWaiting() }

    /// A new connection to the room `code`; nil if it had to be closed at once.
    public func enter(_ channel: any SocketChannel, room code: String) -> Member? {
        let member = add(channel, room: code)
        if member != nil { surroundings.counters.members.add(1) }
        return member
    }

    /// As `enter`, for a connection whose socket may be on another node.
    public func add(_ channel: any MemberChannel, room code: String) -> Member? {
        guard let room = rooms.wake(code), room.edge.members.count < surroundings.limits.membersPerRoom else {
            if rooms[code] != nil { surroundings.counters.hit(.membersPerRoom) }
            channel.close(.tryAgainLater, "this room has too many connections")
            return nil
        }
        let member = Member(channel: channel, room: room, desk: self, now: surroundings.now)
        room.edge.enter(member)
        return member
    }

    func closed(_ member: Member) {
        member.room.edge.leave(member)
        rooms.removeIfAbsent(member.room)
        if member.channel is any SocketChannel { surroundings.counters.members.add(-1) }
    }

    func messageArrived(_ bytes: RawSpan, from member: Member) {
        guard member.stage != .closed else { return }
        do throws(Rejection) { try member.takeMessage() } catch {
            surroundings.counters.refused(error)
            return member.refuse(error)
        }
        read(bytes, from: member)
    }

    /// A text message of a member on another node, which has already checked its rate.
    public func relayed(_ bytes: RawSpan, from member: Member) {
        if member.stage != .closed { read(bytes, from: member) }
    }

    /// A message that the relay has already read.
    public func relayed(_ message: ClientMessage, from member: Member) {
        if member.stage != .closed { handle(message, from: member) }
    }

    private func read(_ bytes: RawSpan, from member: Member) {
        do throws(ClientMessage.Refusal) {
            handle(try ClientMessage.read(bytes), from: member)
        } catch { member.answer(error.frame(countedBy: surroundings.counters)) }
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
            let command = try RoomCommand(type: type, fields: fields, game: room.stream.state.kind)
            let message = command == nil ? try Chat.Message(type: type, fields: fields) : nil
            guard command != nil || message != nil else { throw .unknownType(type) }
            surroundings.counters.commands.add(type)
            guard let player = member.player?.id else { throw .noName }
            if let command {
                let asker = RoomRequest.Asker.member(player, ReplyAddress(member: member.id, id: id))
                room.edge.home.handle(RoomRequest(asker, command, at: room.stream.now, read: surroundings.turn.began))
            } else if let message {
                room.edge.handle(message, id: id, of: player, from: member)
            }
        } catch {
            surroundings.counters.refused(error)
            member.answer(HubMessage.error(id, error))
        }
    }
}

extension ClientMessage.Refusal {
    public func frame(countedBy counters: HubCounters) -> Frame {
        if let limit { counters.hit(limit) }
        counters.refused(rejection)
        return HubMessage.error(id, rejection)
    }
}
