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
        let company = company
        let (there, spectators) = present(with: company)
        let (names, renamed) = (presence.names, presence.renamed)
        presence.sent(at: room.now)
        home.receive(count(of: there, spectators))
        for member in members where member.isGreeted {
            member.lacksPresence = member.stage != .live || member.behindSince != nil
        }
        tell(
            HubMessage.presence(
                players: there.keys.sorted(),
                names: names.filter { there[$0.key] != nil || renamed.contains($0.key) },
                nameless: renamed.filter { names[$0] == nil }.sorted(), spectators: spectators))
    }

    /// Who is there, for a member that was told nothing of it when the others were, and has been greeted since: what
    /// others are called by now its greeting says.
    func tellPresence(_ member: Member) {
        guard member.lacksPresence else { return }
        member.lacksPresence = false
        let (there, spectators) = present(with: company)
        member.channel.send(
            HubMessage.presence(
                players: there.keys.sorted(), names: presence.names.filter { there[$0.key] != nil }, nameless: [],
                spectators: spectators))
    }

    /// The players who are connected, with their names, and how many watch without a seat, each player once.
    private func present(with company: Company) -> (names: [PlayerID: String], spectators: Int) {
        var names = company.names
        if !others.names.isEmpty { names.merge(others.names) { one, _ in one } }
        let spectators = names.keys.count { room.seat(of: $0) == nil }
        return (names, spectators + company.nameless + others.nameless)
    }

    // MARK: Other nodes

    /// Somebody has come or gone there.
    func receive(others report: AttendanceReport) {
        switch report {
        case .came(let player, let name):
            let isNewName = presence.names[player].map { $0 != name } ?? false
            others.names[player] = name
            note(name, of: player)
            presenceChanged(isNewName: isNewName)
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

    /// Who is connected here.
    var company: Company {
        var company = Company()
        for member in members where member.isGreeted {
            if let player = member.player { company.names[player.id] = player.name } else { company.nameless += 1 }
        }
        return company
    }

    /// What lists show of those who are connected.
    private func count(of names: [PlayerID: String], _ spectators: Int) -> PresenceCount {
        let present = names.keys.count { room.seat(of: $0) != nil || $0 == room.host }
        return PresenceCount(present: present, spectators: spectators, hostName: presence.names[room.host])
    }

    /// As in `GET /api/rooms/{code}`.
    var description: Fields {
        let (present, spectators) = present(with: company)
        return room.summary.merging(count(of: present, spectators).fields)
            .merging(["names": .object(HubMessage.names(presence.names))])
    }
}
