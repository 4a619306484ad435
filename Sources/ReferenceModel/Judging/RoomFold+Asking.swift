// Results of commands about games and proposals.
extension RoomFold {
    /// A turn of at least this many seconds is long: every player is asked, connected or not.
    private static let longTurn = 3_600
    /// How long a proposal stands, in ms.
    private static let proposalTime = 30_000

    var hasLongTurns: Bool {
        let people = seats.count { $0.player != nil && $0.bot == nil }
        return RoomOptions.turnTime(options, people: people) >= Self.longTurn
    }

    private var people: [Int] { seats.indices.filter { seats[$0].player != nil && seats[$0].bot == nil } }

    func start(_ attendance: Attendance, at time: Int) -> CommandVerdict {
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        if status == .running { reasons.insert("game-running") }
        if gameNumber > 0 { reasons.insert("played-already") }
        let taken = seats.indices.filter { seats[$0].player != nil }
        if taken.isEmpty || game != "memory" && taken.count != 2 { reasons.insert("player-count") }
        if reasons.isEmpty, people.isEmpty { reasons.insert("player-count") }
        guard reasons.isEmpty else { return .refused(reasons) }
        return .events(beginning(of: taken, first: taken[0], attendance, at: time))
    }

    func propose(_ command: JSON, by player: String, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        guard let what = command["what"]?.text, ["restart", "rematch"].contains(what) else {
            return .refused(["bad-field", "unknown-value"])
        }
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        let own = seat(of: player)
        if own == nil { reasons.insert("not-seated") }
        if what == "restart" {
            if status != .running { reasons.insert("not-running") }
            if let own, !plays(own) { reasons.insert("not-seated") }
        } else {
            if status == .running { reasons.insert("game-running") }
            if gameNumber == 0 { reasons.insert("not-played-yet") }
        }
        guard reasons.isEmpty, let own else { return .refused(reasons) }
        if let proposal, proposal.what == what { return say(true, own, player, to: proposal) }

        if let until = pauses[player], time < until { reasons.insert("proposed-lately") }
        let others = people.filter { $0 != own }
        let asked = others.filter { (what == "rematch" || plays($0)) && canBeAsked($0, what, attendance, at: time) }
        if what == "rematch", !hasEnough(taken: others.count + 1) { reasons.insert("player-count") }
        // With computers a rematch begins even if others have a seat.
        let isAlone = what == "restart" || !seats.contains { $0.bot != nil }
        if asked.isEmpty, !others.isEmpty, isAlone { reasons.insert("nobody-to-ask") }
        guard reasons.isEmpty else { return .refused(reasons) }
        guard asked.isEmpty else {
            return .events([
                .table(
                    "proposed",
                    [
                        "what": .text(what), "seat": .number(own), "player": .text(player), "asked": .numbers(asked),
                        "deadline": .number(time + Self.proposalTime),
                    ])
            ])
        }
        if what == "restart" { return .events(restart(attendance, at: time)) }
        let playing = seats.indices.filter { $0 == own || seats[$0].bot != nil }
        guard game == "memory" || playing.count == 2 else { return .refused(["player-count"]) }
        return .events(beginning(of: playing, first: nextFirst(of: playing), attendance, at: time))
    }

    private func hasEnough(taken: Int) -> Bool {
        game == "memory" || taken + seats.count(where: { $0.bot != nil }) >= 2
    }

    private func canBeAsked(_ seat: Int, _ what: String, _ attendance: Attendance, at time: Int) -> Bool {
        if what == "rematch" { return seats[seat].player.map(attendance.isHere) ?? false }
        return seats[seat].helped == nil
            && (hasLongTurns || !isAway(seat) && !isGone(seat, attendance, at: time))
    }

    func answer(_ command: JSON, by player: String) -> CommandVerdict {
        guard let agrees = command["agrees"]?.bool, let version = command["to"]?.number else {
            return .refused(["bad-field"])
        }
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        let own = seat(of: player)
        if own == nil { reasons.insert("not-seated") }
        if proposal?.version != version { reasons.insert("nothing-proposed") }
        guard reasons.isEmpty, let own, let proposal else { return .refused(reasons.union(["not-asked"])) }
        return say(agrees, own, player, to: proposal)
    }

    private func say(_ agrees: Bool, _ seat: Int, _ player: String, to proposal: Proposal) -> CommandVerdict {
        let (isAsked, hasAgreed) = (proposal.asked.contains(seat), proposal.agreed.contains(seat))
        if proposal.player == player, proposal.seat == seat, !agrees {
            return .events([.table("proposal-ended", ["reason": "withdrawn"])])
        }
        if agrees && hasAgreed { return .events([]) }
        guard isAsked || hasAgreed || proposal.what == "rematch" else { return .refused(["not-asked"]) }
        if !agrees, !isAsked, !hasAgreed { return .events([]) }
        let answered = Expected.table(
            "answered", ["seat": .number(seat), "player": .text(player), "agrees": .bool(agrees)])
        return .events(!agrees && proposal.what == "restart" ? [answered] + ended("declined") : [answered])
    }

    func ready(_ command: JSON, by player: String) -> CommandVerdict {
        let commitment = command.given("commitment")
        guard let nonce = command["nonce"]?.text, nonce.utf8.count == 32, nonce.isHex,
            commitment?.text?.isDigest ?? (commitment == nil)
        else { return .refused(["bad-field"]) }
        guard let dealing else { return .refused(["not-dealing", "not-seated"]) }
        guard let own = seat(of: player), dealing.awaited.contains(own) else {
            return .refused(["not-awaited", "not-seated"])
        }
        guard seats[own].commitment == Self.digest(ofHex: nonce) else { return .refused(["wrong-nonce"]) }
        return .events([
            .table("ready", ["seat": .number(own), "nonce": .text(nonce), "commitment": commitment])
        ])
    }

    func changeOptions(_ command: JSON) -> CommandVerdict {
        guard let asked = command["options"], let changes = asked.members else { return .refused(["bad-field"]) }
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        if status == .running { reasons.insert("game-running") }
        var members = options.members ?? []
        for change in changes {
            members.removeAll { $0.name == change.name }
            if change.value != .null { members.append(change) }
        }
        let merged = JSON.object(members)
        for options in [asked, merged] {
            if case .refused(let code, _) = RoomOptions.refusal(of: options, game: game) { reasons.insert(code) }
        }
        let count = Self.seatCount(game: game, options: merged)
        if seats.count > count, seats[count...].contains(where: { $0.player != nil }) {
            reasons.formUnion(["seat-taken", "out-of-range"])
        }
        guard reasons.isEmpty else { return .refused(reasons) }
        return .events(merged == options ? [] : [.table("options-changed", ["options": merged])])
    }

    func show(_ command: JSON) -> CommandVerdict {
        guard let asked = command["visibility"]?.text, ["public", "seeking", "unlisted"].contains(asked) else {
            return .refused(["bad-field", "unknown-value"])
        }
        return .events(asked == visibility ? [] : [.table("visibility-changed", ["visibility": .text(asked)])])
    }

    func close(_ attendance: Attendance, at time: Int) -> [Expected] {
        if status == .running, let running {
            let ended = running.ending(reason: "closed", at: time, gone: gone(attendance, at: time))
            return [.play(ended), .table("room-closed", [:])]
        }
        let reveal = serverSeed.map { seed -> JSON in ["seed": .text(seed.hex), "nonces": []] }
        return [.table("room-closed", ["reveal": reveal])]
    }
}
