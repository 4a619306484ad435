import ReferenceModel

// What people do besides playing.
extension Person {
    func give(in whim: Whims.Whim, _ sight: RoomSight, _ device: Device, _ link: Link, in code: String) {
        let anySeat = choices.number(below: sight.seatCount + 1)
        func say(_ type: String, _ fields: String = "") { command(type, fields, device, link) }
        switch whim {
        case .sit: say("sit", promise(in: code))
        case .sitAnywhere: say("sit", #","seat":\#(anySeat)"#)
        case .leave: say("leave")
        case .start: say("start")
        case .propose: say("propose", #","what":"rematch""#)
        case .restart: say("propose", #","what":"restart""#)
        case .agree, .refuse:
            say("answer", #","agrees":\#(whim == .agree),"to":\#(sight.proposal?.version ?? sight.version)"#)
        case .here: say("here")
        case .bot: say("bot", #","seat":\#(anySeat),"level":"\#(level(sight.game))""#)
        case .helper, .free:
            let absent = sight.absent + (sight.running?.away ?? [])
            let seat = absent.isEmpty ? anySeat : choices.element(of: absent)
            let level = whim == .helper ? #","level":"\#(level(sight.game))""# : ""
            say(whim == .helper ? "bot" : "free", #","seat":\#(seat)"# + level)
        case .mute: say("mute", outcast(sight.muted, sight))
        case .ban: say("ban", outcast(sight.banned, sight))
        case .options:
            let takesBack = choices.chance(1, in: 4)
            let options =
                takesBack ? world.openings.optionsTakenBack(&choices) : world.openings.someOptions(sight.game, &choices)
            say("options", #","options":\#(options)"#)
        case .visibility: say("visibility", #","visibility":"\#(choices.element(of: Openings.visibilities))""#)
        case .close: if choices.chance(1, in: 10) { say("close") }
        case .say: say("say", #","text":"line \#(choices.number(below: 1_000))""#)
        case .react: say("react", #","emoji":"👍""#)
        case .resign: say("resign")
        case .shuffle: say("shuffle")
        case .wrongMove: wrongMove(device, link)
        case .anyMove:
            let choice = choices.number(below: 1 << 20)
            if let game = sight.running, let seat = game.awaited.first, let move = game.someMove(of: seat, choice) {
                say(move.type, move.fields)
            }
        default: giveIn(whim, device, link, in: code)
        }
    }

    /// A player to mute or ban, or to release from that.
    private func outcast(_ outcasts: [String], _ sight: RoomSight) -> String {
        let isOn = outcasts.isEmpty || choices.chance(1, in: 2)
        let others = sight.seats.map(\.player) + [sight.host, choices.element(of: world.people).id ?? sight.host]
        return #","player":"\#(choices.element(of: isOn ? others : outcasts))","on":\#(isOn)"#
    }

    private func wrongMove(_ device: Device, _ link: Link) {
        let number = choices.number(in: -1...100)
        switch choices.number(below: 4) {
        case 0: command("flip", #","cell":\#(number)"#, device, link)
        case 1: command("place", #","cell":\#(number)"#, device, link)
        case 2: command("draw", #","line":\#(number)"#, device, link)
        default: command("drop", #","column":\#(number)"#, device, link)
        }
    }

    /// Whims that are not commands.
    private func giveIn(_ whim: Whims.Whim, _ device: Device, _ link: Link, in code: String) {
        switch whim {
        case .ping: send(#"{"type":"ping","n":\#(choices.number(below: 1_000))}"#, on: link)
        case .hello: send(#"{"type":"hello","token":"\#(device.token)"}"#, on: link)
        case .helloAgain:
            let after = choices.element(of: [0, max(0, device.version - 300), max(0, device.version - 3)])
            send(#"{"type":"hello","token":"\#(device.token)","after":\#(after)}"#, on: link)
            // A request before the past has arrived is answered after it.
            command("here", "", device, link)
        case .rubbish: send(rubbish(), on: link)
        case .repeated: if let last = device.answered { send(last.text, on: link) }
        case .reused: if let last = device.answered { send(#"{"type":"here","id":"\#(last.id)"}"#, on: link) }
        case .flood: flood(link)
        case .hangUp: world.hangUp(link, keeping: choices.number(in: 0...3))
        case .stayAway:
            // Alone, or with all who are in this room.
            let (minutes, isAlone) = (choices.element(of: [1, 2, 4, 15, 70]), choices.chance(1, in: 2))
            for person in world.people where person === self || !isAlone && person.isIn(code) {
                person.stayAway(minutes: minutes)
            }
        case .readNothing: device.stuckUntil = world.now + choices.number(in: 1...90) * 1_000_000
        case .otherRoom: leaveRoom(device, link)
        case .openRoom: if world.rooms.count < 200 { openRoom(device) }
        case .lobby: enterLobby(device)
        case .lists, .log: look(whim, device, in: code)
        default: world.accounts.act(whim, self, device)
        }
    }

    /// Keeps asking and reads nothing, until the hub's queue exceeds its limit.
    func gorge(_ device: Device, _ link: Link) {
        guard link.queuedBytes < Self.gorgeLimitBytes else { return }
        for _ in 0..<choices.number(in: 0...4) {
            let after = choices.element(of: ["", #","after":0"#, #","after":\#(device.version / 2)"#])
            send(#"{"type":"hello","token":"\#(device.token)"\#(after)}"#, on: link)
        }
        if choices.chance(1, in: 2) { command("here", "", device, link) }
    }

    /// More than a hub keeps for a slow client.
    private static let gorgeLimitBytes = 400 * 1024

    private func flood(_ link: Link) {
        for number in 0..<choices.number(in: 2...600) {
            send(#"{"type":"here","id":"flood-\#(lives)-\#(self.number)-\#(world.now)-\#(number)"}"#, on: link)
        }
    }

    private func rubbish() -> [UInt8] {
        switch choices.number(below: 5) {
        case 0: Array("{".utf8)
        case 1: Array(#"{"type":"dance","id":"1"}"#.utf8)
        case 2: Array(#"{"type":"flip","id":"x","cell":"one"}"#.utf8)
        case 3: Array(#"{"type":"sit"}"#.utf8)
        default: (0..<choices.number(in: 0...60)).map { _ in UInt8(choices.number(in: 0x20...0x7E)) }
        }
    }

    /// Opens the lobby, says something there, or leaves it.
    private func enterLobby(_ device: Device) {
        if let lobby = device.lobby {
            guard choices.chance(1, in: 3) else { return send(remark(), on: lobby) }
            device.lobby = nil
            return world.hangUp(lobby, keeping: .max)
        }
        world.request("GET", "/ws/lobby", from: peer) { [self] answer in
            guard case .upgrade(let process, let loop, let purpose) = answer, device.lobby == nil else { return }
            device.lobby = world.open(purpose, of: self, on: loop, process)
        }
    }

    /// A valid or invalid message for the lobby.
    private func remark() -> [UInt8] {
        switch choices.number(below: 4) {
        case 0: Array(#"{"type":"ping","n":\#(choices.number(below: 1_000))}"#.utf8)
        case 1: Array(#"{"type":"sit","id":"\#(choices.number(below: 1_000))"}"#.utf8)
        case 2: Array(#"{"type":"hello"}"#.utf8)
        default: rubbish()
        }
    }

    /// Asks for something that changes nothing.
    func look(_ device: Device, in code: String) { look(.lists, device, in: code) }

    private func look(_ whim: Whims.Whim, _ device: Device, in code: String) {
        let target =
            switch whim {
            case .log: "/api/rooms/\(code)/log?after=\(choices.number(below: 20))"
            default:
                switch choices.number(below: 6) {
                case 0, 1: "/api/rooms"
                case 2: "/api/rooms/" + (world.someRoom(&choices) ?? code)
                case 3: "/api/players/me/games"
                default: "/api/leaderboard" + results()
                }
            }
        world.ask("GET", target, of: self, device) { [self] _, answer in
            guard let next = Self.text("next", in: answer), choices.chance(1, in: 2) else { return }
            let page = target + (target.contains("?") ? "&" : "?") + "after=" + next
            world.ask("GET", page, of: self, device) { _, _ in }
        }
    }

    /// A random query for results.
    private func results() -> String {
        let (game, mode) = world.openings.someMode(&choices)
        let limit = choices.chance(1, in: 2) ? "&limit=\(choices.number(in: 1...5))" : ""
        let span = "&span=" + choices.element(of: ["day", "week", "all"])
        switch choices.number(below: 4) {
        case 0: return ""
        case 1: return "?game=\(game)" + limit + span
        default:
            let against = choices.element(of: ["alone", "people", "people", "computers"])
            let order = choices.element(of: ["recent", "best", "best"])
            return "?game=\(game)&mode=\(mode)&against=\(against)&order=\(order)" + limit + span
        }
    }
}
