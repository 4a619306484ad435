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
        let connected = connectedCount
        presence.count(connected)
        home.receive(count(of: connected))
        let before = presence.shown.players
        if let frame = presence.update(to: present(of: connected), naming: namesNeeded, at: room.now) { tell(frame) }
        for player in before.subtracting(presence.shown.players) { letGo(of: player) }
    }

    /// Players whose names members need besides those who are there: of all that is shown of the room.
    var namesNeeded: Set<PlayerID> { Set(room.players).union(chat.lines.map(\.from)) }

    /// Players who are there, here or on other nodes.
    private var connectedCount: Int {
        others.names.isEmpty ? greeted.count : greeted.count + others.names.keys.count { greeted[$0] == nil }
    }

    private func isConnected(_ player: PlayerID) -> Bool { greeted[player] != nil || others.names[player] != nil }

    /// Who is there, of so many players who are connected.
    private func present(of connected: Int) -> Presence.Shown {
        let seated = room.seated.filter(isConnected)
        var players = Set(seated)
        if !presence.isCrowd {
            players = Set(greeted.keys).union(others.names.keys)
        } else if isConnected(room.host) {
            players.insert(room.host)
        }
        return Presence.Shown(players: players, spectators: connected - seated.count + nameless + others.nameless)
    }

    // MARK: Other nodes

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

    /// What lists show of so many players who are connected.
    private func count(of connected: Int) -> PresenceCount {
        let seated = room.seated.filter(isConnected)
        let isHostApart = isConnected(room.host) && !seated.contains(room.host)
        return PresenceCount(
            present: seated.count + (isHostApart ? 1 : 0),
            spectators: connected - seated.count + nameless + others.nameless, hostName: presence.names[room.host])
    }

    /// As in `GET /api/rooms/{code}`.
    var description: Fields {
        room.summary.merging(count(of: connectedCount).fields)
            .merging(["names": .object(HubMessage.names(presence.names(of: presence.named.union(namesNeeded))))])
    }
}
