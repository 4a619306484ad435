import EventStore
import Games

/// Answers `hello`: finds the token's player, and greets the member once its room is known. Its other messages wait. If
/// very many come at once, each turn greets some of them, so that others on the loop need not wait.
public final class HelloDesk {
    /// Greetings in one turn. Each takes some 20 us, or 100 us if it is compressed.
    static let greetingsPerTurn = 64

    private let surroundings: RoomSurroundings
    private let players: any PlayerFinder
    /// Left in this turn.
    private var greetingsLeft = greetingsPerTurn
    /// Members that wait for a later turn, in order, at most one for each connection.
    private var waiting: [HelloVisit] = []

    init(surroundings: RoomSurroundings, players: any PlayerFinder) {
        (self.surroundings, self.players) = (surroundings, players)
    }

    /// Calls `then` with the member's other messages once it has been greeted, unless it is gone.
    func identify(_ member: Member, _ hello: ClientMessage.Hello, then: @escaping ([ClientMessage]) -> Void) {
        guard member.mayGreet() else {
            let rejection = Rejection.tooFast(surroundings.limits.hellosPerSecond, "hellos")
            surroundings.counters.hit(.hellosPerSecond)
            surroundings.counters.refused(rejection)
            return member.refuse(rejection)
        }
        member.stage = .identifying
        let visit = HelloVisit(member: member, hello: hello, then: then)
        guard let hash = hello.tokenHash else {
            member.player = nil
            return admit(visit)
        }
        guard !hash.isEmpty else { return stranger(visit) }
        if member.player?.tokenHash == hash { return admit(visit) }
        // The answer for an earlier player must not answer this hello.
        member.player = nil
        players.player(tokenHash: hash) { [self] result in
            switch result {
            case .failure: member.close(.tryAgainLater, "names cannot be looked up right now")
            case .success(nil): stranger(visit)
            case .success(let player?):
                member.player = player
                admit(visit)
            }
        }
    }

    func keep(_ message: ClientMessage, of member: Member) {
        guard member.earlyCount < surroundings.limits.earlyMessages else {
            surroundings.counters.hit(.earlyMessages)
            return member.close(.policyViolation, "too many messages before hello was answered")
        }
        member.keep(message)
    }

    /// An unknown token. The client gets an error, and watches.
    private func stranger(_ visit: HelloVisit) {
        let member = visit.member
        member.player = nil
        let count = surroundings.addressLimits.failures.count(member.channel.peer, now: surroundings.now)
        guard count == .withinLimit else {
            surroundings.hit(.failuresPerMinute, by: member.channel.peer)
            return member.close(.policyViolation, "too many wrong tokens from your address")
        }
        surroundings.counters.refused(.unknownToken)
        member.answer(HubMessage.error(nil, .unknownToken))
        admit(visit)
    }

    private func admit(_ visit: HelloVisit) {
        guard visit.member.stage == .identifying else { return }
        visit.member.room.whenKnown { [self] in greet(visit) }
    }

    func turnBegan() { greetingsLeft = Self.greetingsPerTurn }

    /// Greets members that did not fit into an earlier turn, as many as this one allows.
    func greetWaiting() {
        let share = waiting.prefix(greetingsLeft)
        waiting.removeFirst(share.count)
        greetingsLeft -= share.count
        for visit in share where visit.member.stage == .identifying {
            visit.isDue = true
            admit(visit)
        }
        armIfNeeded()
    }

    private func armIfNeeded() {
        if !waiting.isEmpty { surroundings.timers.arm(.greetings, at: surroundings.now) }
    }

    private func greet(_ visit: HelloVisit) {
        let member = visit.member
        guard member.stage == .identifying else { return }
        if !visit.isDue {
            guard waiting.isEmpty, greetingsLeft > 0 else {
                waiting.append(visit)
                return armIfNeeded()
            }
            greetingsLeft -= 1
        }
        switch member.room.life {
        case .awake: member.room.edge.greet(member, visit.hello)
        case .absent: return member.close(.policyViolation, "there is no such room")
        case .broken: return member.close(.internalError, "the log of this room cannot be read")
        case .unread: return member.close(.tryAgainLater, "the log cannot be read right now")
        case .loading, .naming: preconditionFailure("a room calls its visitors when it is known")
        }
        visit.then(member.takeEarlyMessages())
    }
}

/// A member that waits for its room.
private final class HelloVisit {
    let member: Member
    let hello: ClientMessage.Hello
    let then: ([ClientMessage]) -> Void
    /// Whether it has waited for its turn, and is greeted as soon as its room is known.
    var isDue = false

    init(member: Member, hello: ClientMessage.Hello, then: @escaping ([ClientMessage]) -> Void) {
        (self.member, self.hello, self.then) = (member, hello, then)
    }
}
