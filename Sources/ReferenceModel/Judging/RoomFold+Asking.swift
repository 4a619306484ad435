import Games
import JSON

// Results of commands about games and proposals.
extension RoomFold {
    /// How long a proposal stands, in ms.
    private static let proposalTime = 30_000

    /// Whether several people play in long turns. Then everyone is asked, wherever they are.
    private var hasLongTurns: Bool { running.map { $0.humans > 1 && $0.turnTime >= GameFold.longTurn } ?? false }

    private var people: [Int] { seats.indices.filter { seats[$0].player != nil && seats[$0].bot == nil } }

    func start(_ attendance: Attendance, at time: Int) -> CommandVerdict {
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        if status == .running { reasons.insert("game-running") }
        if gameNumber > 0 { reasons.insert("played-already") }
        let taken = seats.indices.filter { seats[$0].player != nil }
        if kind?.seats.contains(taken.count) != true { reasons.insert("player-count") }
        if reasons.isEmpty, people.isEmpty { reasons.insert("player-count") }
        guard reasons.isEmpty else { return .refused(reasons) }
        return .events(beginning(of: taken, first: taken[0], attendance, at: time))
    }

    func propose(_ command: Value, by player: String, _ attendance: Attendance, at time: Int) -> CommandVerdict {
        guard let what = command["what"]?.string, ["restart", "rematch"].contains(what) else {
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
                Expected(
                    "proposed",
                    [
                        "what": .string(what), "seat": .integer(own), "player": .string(player),
                        "asked": .integers(asked),
                        "deadline": .integer(time + Self.proposalTime),
                    ])
            ])
        }
        if what == "restart" { return .events(restart(attendance, at: time)) }
        let playing = seats.indices.filter { $0 == own || seats[$0].bot != nil }
        guard kind?.seats.contains(playing.count) == true else { return .refused(["player-count"]) }
        return .events(beginning(of: playing, first: nextFirst(of: playing), attendance, at: time))
    }

    private func hasEnough(taken: Int) -> Bool {
        taken + seats.count(where: { $0.bot != nil }) >= kind?.seats.lowerBound ?? 1
    }

    private func canBeAsked(_ seat: Int, _ what: String, _ attendance: Attendance, at time: Int) -> Bool {
        if what == "rematch" { return seats[seat].player.map(attendance.isHere) ?? false }
        return seats[seat].helped == nil && (hasLongTurns || !isAway(seat) && !isGone(seat, attendance, at: time))
    }

    func answer(_ command: Value, by player: String) -> CommandVerdict {
        guard let agrees = command["agrees"]?.bool, let version = command["to"]?.integer else {
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
            return .events([Expected("proposal-ended", ["reason": "withdrawn"])])
        }
        if agrees && hasAgreed { return .events([]) }
        guard isAsked || hasAgreed || proposal.what == "rematch" else { return .refused(["not-asked"]) }
        if !agrees, !isAsked, !hasAgreed { return .events([]) }
        let answered = Expected(
            "answered", ["seat": .integer(seat), "player": .string(player), "agrees": .bool(agrees)])
        return .events(!agrees && proposal.what == "restart" ? [answered] + ended("declined") : [answered])
    }

    func ready(_ command: Value, by player: String) -> CommandVerdict {
        let commitment = command.given("commitment")
        guard let nonce = command["nonce"]?.string, nonce.utf8.count == 32, nonce.isHex,
            commitment?.string?.isDigest ?? (commitment == nil)
        else { return .refused(["bad-field"]) }
        guard let dealing else { return .refused(["not-dealing", "not-seated"]) }
        guard let own = seat(of: player), dealing.awaited.contains(own) else {
            return .refused(["not-awaited", "not-seated"])
        }
        guard seats[own].commitment == Self.digest(ofHex: nonce) else { return .refused(["wrong-nonce"]) }
        return .events([
            Expected("ready", ["seat": .integer(own), "nonce": .string(nonce), "commitment": commitment])
        ])
    }

    func changeOptions(_ command: Value) -> CommandVerdict {
        guard let changes = command["options"]?.object else { return .refused(["bad-field"]) }
        var reasons: Set<String> = []
        if status == .dealing { reasons.insert("dealing") }
        if status == .running { reasons.insert("game-running") }
        let merged = options.merging(changes).withoutNulls
        do throws(Rejection) { _ = try kind?.options(merged) } catch { reasons.insert(error.code) }
        let count = seatCount(merged)
        if seats.count > count, seats[count...].contains(where: { $0.player != nil }) {
            reasons.formUnion(["seat-taken", "out-of-range"])
        }
        guard reasons.isEmpty else { return .refused(reasons) }
        let isSame = merged.difference(from: options) == nil
        return .events(isSame ? [] : [Expected("options-changed", ["options": .object(merged)])])
    }

    func show(_ command: Value) -> CommandVerdict {
        guard let asked = command["visibility"]?.string, ["public", "seeking", "unlisted"].contains(asked) else {
            return .refused(["bad-field", "unknown-value"])
        }
        return .events(asked == visibility ? [] : [Expected("visibility-changed", ["visibility": .string(asked)])])
    }

    func close(at time: Int) -> [Expected] {
        if status == .running, let running {
            return [running.ending("closed", at: time), Expected("room-closed", [:])]
        }
        let reveal = serverSeed.map { seed -> Value in .object(["seed": .string(seed.hex), "nonces": .list([])]) }
        return [Expected("room-closed", ["reveal": reveal])]
    }
}
