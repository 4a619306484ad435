import Cryptography
import ReferenceModel

// What people come for: a seat, a game, another one.
extension Person {
    func play(_ sight: RoomSight, _ device: Device, _ link: Link, in code: String) {
        let seat = sight.seats.first { $0.player == id }
        if let id, sight.muted.contains(id), choices.chance(1, in: 4) {
            return command("react", #","emoji":"🎉""#, device, link)
        }
        if let proposal = sight.proposal, let seat, proposal.asked.contains(seat.number) {
            let agrees = choices.chance(3, in: 4)
            return command("answer", #","agrees":\#(agrees),"to":\#(proposal.version)"#, device, link)
        }
        switch sight.status {
        case .waiting: seat == nil ? sit(sight, device, link, in: code) : prepareGame(sight, device, link)
        case .dealing: if let seat { ready(sight, seat, device, link, in: code) }
        case .running:
            // A player who often comes back watches first.
            if seat?.isHelped == true, choices.chance(9, in: 10) { return }
            if sight.host == id, hasHelp(sight, device, link) { return }
            if let seat { move(sight, seat.number, device, link) } else { watch(device, link) }
        case .ended:
            if seat == nil { return sit(sight, device, link, in: code) }
            if sight.proposal == nil, choices.chance(1, in: 2) {
                command("propose", #","what":"rematch""#, device, link)
            } else if choices.chance(1, in: 30) {
                leaveRoom(device, link)
            }
        case .closed: leaveRoom(device, link)
        }
    }

    private func sit(_ sight: RoomSight, _ device: Device, _ link: Link, in code: String) {
        guard sight.seats.count < sight.seatCount else { return watch(device, link) }
        let seat = choices.chance(1, in: 3) ? #","seat":\#(choices.number(below: sight.seatCount))"# : ""
        command("sit", seat + (choices.chance(1, in: 2) ? promise(in: code) : ""), device, link)
    }

    /// A commitment to a new nonce, as a field of a command.
    func promise(in code: String) -> String {
        nonces[code, default: 0] += 1
        return #","commitment":"\#(SHA256.digest(of: nonce(nonces[code, default: 0], in: code)).hex)""#
    }

    private func nonce(_ number: Int, in code: String) -> [UInt8] {
        Array(SHA256.digest(of: "nonce \(self.number) \(lives) \(code) \(number)").bytes.prefix(16))
    }

    private func prepareGame(_ sight: RoomSight, _ device: Device, _ link: Link) {
        guard sight.host == id else {
            if choices.chance(1, in: 60) { leaveRoom(device, link) }
            return
        }
        if sight.seats.count < sight.seatCount, choices.chance(1, in: 5) {
            let taken = sight.seats.map(\.number)
            guard let free = (0..<sight.seatCount).first(where: { !taken.contains($0) }) else { return }
            return command("bot", #","seat":\#(free),"level":"\#(level(sight.game))""#, device, link)
        }
        if choices.chance(1, in: 3) { command("start", device, link) }
    }

    func level(_ game: String) -> String { world.openings.level(game, &choices) }

    private func ready(_ sight: RoomSight, _ seat: RoomSight.Seat, _ device: Device, _ link: Link, in code: String) {
        guard sight.awaited.contains(seat.number), choices.chance(9, in: 10) else { return }
        let last = nonces[code, default: 0]
        for number in stride(from: last, to: max(0, last - 5), by: -1) {
            let nonce = nonce(number, in: code)
            guard SHA256.digest(of: nonce).hex == seat.commitment else { continue }
            let next = choices.chance(2, in: 3) ? promise(in: code) : ""
            return command("ready", #","nonce":"\#(nonce.hex)""# + next, device, link)
        }
    }

    /// Some hosts let a computer play for absent players, so that the game continues.
    private func hasHelp(_ sight: RoomSight, _ device: Device, _ link: Link) -> Bool {
        let missing = sight.absent + (sight.running?.away ?? [])
        guard isHelpful, !missing.isEmpty, choices.chance(1, in: 4) else { return false }
        let seat = choices.element(of: missing)
        command("bot", #","seat":\#(seat),"level":"\#(level(sight.game))""#, device, link)
        return true
    }

    private func move(_ sight: RoomSight, _ seat: Int, _ device: Device, _ link: Link) {
        guard let game = sight.running else { return }
        if game.away.contains(seat) { return command("here", device, link) }
        if choices.chance(1, in: 60) { return command("propose", #","what":"restart""#, device, link) }
        guard game.awaited.contains(seat) else { return }
        if game.hasCommand("shuffle"), choices.chance(1, in: 25) { return command("shuffle", device, link) }
        let choice = choices.number(below: 1 << 20)
        let good = choices.chance(2, in: 3) ? game.goodMove(of: seat) : nil
        guard let move = good ?? game.someMove(of: seat, choice) else { return }
        command(move.type, move.fields, device, link)
    }

    private func watch(_ device: Device, _ link: Link) {
        if choices.chance(1, in: 20) { leaveRoom(device, link) }
    }

    /// Leaves without a word and keeps the seat.
    func leaveRoom(_ device: Device, _ link: Link) {
        world.hangUp(link, keeping: .max)
        device.forgetRoom()
    }

    private func command(_ type: String, _ device: Device, _ link: Link) { command(type, "", device, link) }
}
