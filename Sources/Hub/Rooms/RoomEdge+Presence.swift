import Games

// Who is there, as members and lists are told.
extension RoomEdge {
    /// - Parameter isNewName: somebody is seen whose name the others may not know: that does not wait.
    func presenceChanged(isNewName: Bool = false) {
        presence.change(isNewName: isNewName)
        armTimer()
    }

    func armTimer() {
        guard room.isAwake else { return }
        // The timer goes by hub time.
        timer.set(edge: presence.next.map { $0 - (room.now - surroundings.now) })
    }

    func sendPresenceIfDue() {
        defer { armTimer() }
        guard room.isAwake, let due = presence.next, due <= room.now else { return }
        let present = present
        presence.count(present.connected)
        home.receive(count(of: present))
        let before = presence.shown.players
        if let frame = presence.update(to: shown(of: present), naming: namesNeeded, at: room.now) { tell(frame) }
        for player in before.subtracting(presence.shown.players) { letGo(of: player) }
    }

    /// Players whose names members need besides those who are there: of all that is shown of the room.
    var namesNeeded: Set<PlayerID> { Set(room.players).union(chat.lines.map(\.from)) }

    /// Who is there, here or on other nodes.
    private struct Present {
        /// Players, with a seat or without.
        let connected: Int
        /// Those of them who have a seat, in the order of seats.
        let seated: [PlayerID]
        /// Players without a seat, and connections without a name.
        let spectators: Int
    }

    private var present: Present {
        let connected = greeted.count + others.names.keys.count { greeted[$0] == nil }
        let seated = room.seated.filter(isConnected)
        return Present(
            connected: connected, seated: seated, spectators: connected - seated.count + nameless + others.nameless)
    }

    private func isConnected(_ player: PlayerID) -> Bool { greeted[player] != nil || others.names[player] != nil }

    /// What members are shown of them.
    private func shown(of present: Present) -> Presence.Shown {
        var players = Set(present.seated)
        if !presence.isCrowd {
            players = Set(greeted.keys).union(others.names.keys)
        } else if isConnected(room.host) {
            players.insert(room.host)
        }
        return Presence.Shown(players: players, spectators: present.spectators)
    }

    // MARK: Other nodes

    /// The newest lines of chat, for one of them.
    var said: [Said] { chat.lines.map { Said($0, name: presence.names[$0.from]) } }

    /// Somebody has come or gone there.
    func receive(others report: AttendanceReport) {
        switch report {
        case .came(let player, let name):
            others.names[player] = name
            note(name, of: player)
            presenceChanged()
        case .went(let player):
            others.names[player] = nil
            letGo(of: player)
            presenceChanged()
        case .watching(let count):
            others.nameless = count
            presenceChanged()
        case .opened, .closed, .greeted, .spoke: break
        }
    }

    /// Who is there on other nodes, whoever it was before.
    func replace(others now: Company) {
        for player in others.names.keys.sorted() where now.names[player] == nil { receive(others: .went(player)) }
        for (player, name) in now.names.sorted(by: { $0.key < $1.key }) {
            receive(others: .came(player, name: name))
        }
        receive(others: .watching(now.nameless))
    }

    /// What lists show of them.
    private func count(of present: Present) -> PresenceCount {
        let isHostApart = isConnected(room.host) && !present.seated.contains(room.host)
        return PresenceCount(
            present: present.seated.count + (isHostApart ? 1 : 0), spectators: present.spectators)
    }

    /// As in `GET /api/rooms/{code}`.
    var description: Fields {
        HubMessage.description(
            room.summary, count(of: present), hostName: presence.names[room.host],
            names: presence.names(of: presence.named.union(namesNeeded)))
    }
}
