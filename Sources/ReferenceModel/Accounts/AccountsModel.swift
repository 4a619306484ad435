import JSON

/// Players, their names and the tokens of their devices, as requests and answers have made them.
final class AccountsModel {
    enum Name: Equatable {
        case known(String)
        /// The outcome of a change is unknown.
        case unclear
        case forgotten
    }

    unowned let context: ModelContext
    var findings: Findings { context.findings }
    var names: [String: Name] = [:]
    /// When a player's earlier name changed. A loop of the hub may not know that yet.
    var changedAt: [String: Int] = [:] { didSet { renamedAt = context.now } }
    /// The latest of these times.
    private(set) var renamedAt = 0
    /// Names that no player has had since then.
    var forgottenAt: [String: Int] = [:]
    /// The forgotten names, by player.
    var forgotten: [String: String] = [:]
    /// Changes of a player's name that are under way.
    private var changing: [String: Int] = [:]
    /// Players with several such changes at once, of which it is unknown which was the last.
    private var racing: Set<String> = []
    /// By player, the newest request at the time when a change of name was last answered. Answers to earlier requests
    /// may be older.
    private var changedBehind: [String: Int] = [:]
    private var newest = 0
    /// The player of each token.
    var players: [String: String] = [:]
    /// Tokens that may or may not be a player's, with the number of requests under way that decide it.
    var unclearTokens: [String: Int] = [:]
    /// The player of a token until that time. A loop of the hub may not know that yet.
    var formerly: [String: (player: String, until: Int)] = [:]
    /// Device ids by token.
    private var devices: [String: String] = [:]
    private var requests: [Int: AccountRequest] = [:]
    var free = FreeNames()
    /// By request for an account, how much had happened before.
    private var askedBehind: [Int: Int] = [:]

    /// How long a hub may show the old name after a change, in ms.
    private static let lag = 2_000
    /// Rows, which bring names to lists, are written by one of several hubs and read by the others.
    private var lag: Int { context.isCluster ? 12_000 : Self.lag }

    let codes: CodesModel
    let lists: DevicesModel

    init(context: ModelContext) {
        self.context = context
        codes = CodesModel(context: context)
        lists = DevicesModel(findings: context.findings)
    }

    func player(of token: String?) -> String? { token.flatMap { players[$0] } }

    /// Whether a client with this token may be greeted as `player`; nil is a client without a name.
    func mayBe(_ player: String?, by token: String?) -> Bool {
        guard let token else { return player == nil }
        if unclearTokens[token] != nil || players[token] == player { return true }
        guard let before = formerly[token], before.player == player else { return false }
        return context.now < max(before.until, context.hinderedAt) + lag
    }

    /// Whether no token has been taken for this player's, and no change of that is under way.
    func isClear(_ token: String?) -> Bool { token.map { unclearTokens[$0] == nil } ?? true }

    /// The player's name if it is known; `isForgotten` if the player has none now.
    func name(of player: String) -> (name: String?, isForgotten: Bool) {
        guard changing[player] == nil else { return (nil, false) }
        switch names[player] {
        case .known(let name): return (name, false)
        case .forgotten: return (nil, true)
        case .unclear, nil: return (nil, false)
        }
    }

    func shown(_ name: String, of player: String, _ place: @autoclosure () -> String) {
        guard !hasJustChanged(player) else { return }
        let (known, isForgotten) = self.name(of: player)
        if isForgotten { findings.recordBreach("no message has a forgotten name", "\(place()): \(name)") }
        guard let known, known != name else { return }
        findings.recordBreach("a player is shown by the present name", "\(place()): \(name) instead of \(known)")
    }

    /// A player is shown without a name, where one would be.
    func shownNameless(_ player: String, _ place: @autoclosure () -> String) {
        guard !hasJustChanged(player), let name = name(of: player).name else { return }
        findings.recordBreach("a player is shown by the present name", "\(place()): none instead of \(name)")
    }

    /// Whether parts of the hub may not know the player's present name yet.
    private func hasJustChanged(_ player: String) -> Bool {
        guard let time = changedAt[player] else { return false }
        return context.now < max(time, context.hinderedAt) + lag
    }

    /// Checks a text that leaves the hub.
    func checkNotForgotten(_ text: String, _ place: @autoclosure () -> String) {
        guard let time = forgottenAt[text], context.now >= max(time, context.hinderedAt) + lag else { return }
        // A player is about to get it.
        guard !requests.values.contains(where: { $0.newName == text }) else { return }
        findings.recordBreach("no message has a forgotten name", "\(place()): \(text)")
    }

    /// An account is durably gone.
    func accountErased(_ player: String) {
        codes.accountErased(player)
        forgetName(of: player)
        // Until all loops know it, the tokens may still be taken for this player's.
        blur(player, by: 1)
    }

    // MARK: Requests

    func requestArrived(_ number: Int, _ request: AccountRequest) {
        requests[number] = request
        newest = number
        if let name = request.newName { free.requestArrived(number, name) }
        codes.requestArrived(number, request, by: player(of: request.bearer))
        if request.kind == .account { askedBehind[number] = codes.count }
        for case let token? in [request.newToken, request.bearer] { context.secrets.keep(token, "a token") }
        if let token = request.newToken { unclearTokens[token, default: 0] += 1 }
        guard let token = request.bearer, let player = players[token] else { return }
        switch request.kind {
        case .rename: beginChange(of: player)
        case .forget:
            beginChange(of: player)
            blur(player, by: 1)
        case .revoke: blur(player, by: 1)
        case .register, .addDevice, .account, .forgetByName, .linkCode, .recoveryCode: break
        }
    }

    func responseSent(_ number: Int, status: Int, _ answer: Value?) {
        guard let request = requests.removeValue(forKey: number) else { return }
        codes.responseSent(number, status: status, answer, revoked: self.token(ofDevice: request.name))
        if let name = request.newName {
            let code = answer?["code"]?.string
            findings.expect(
                !free.responseSent(number, name, status: status, code: code), "a name that was given up is free", name)
        }
        let behind = askedBehind.removeValue(forKey: number) ?? 0
        // A write that was reported as failed may still have happened.
        let isUnclear = status == 503
        if let token = request.newToken {
            if !isUnclear { settle(token) }
            if status == 200 || status == 201, let id = answer?["id"]?.string, let name = answer?["name"]?.string {
                players[token] = id
                if number > changedBehind[id] ?? -1 { call(id, name) }
            }
        }
        if isUnclear, let name = request.newName { forgottenAt[name] = nil }
        if request.kind == .forgetByName, status == 204 { forget(named: request.name) }
        guard let token = request.bearer, let player = players[token], mayBeOf(player, token, answer) else { return }
        switch request.kind {
        case .rename:
            let before = names[player]
            let isLast = finishChange(of: player, isUnclear: isUnclear)
            guard status == 200, let name = answer?["name"]?.string else { break }
            if isLast, case .known(let old) = before, old != name { free.giveUp(old) }
            call(player, name, isKnown: isLast)
        case .forget:
            _ = finishChange(of: player, isUnclear: isUnclear)
            if !isUnclear { blur(player, by: -1) }
            if status == 204 { forget(player) }
        case .revoke:
            if !isUnclear { blur(player, by: -1) }
            if status == 204 { revoke(request.name, of: player) }
        case .account:
            let current = answer?["devices"]?.list?.first { $0["current"]?.bool == true }
            devices[token] = current?["id"]?.string
            if status == 200, let name = answer?["name"]?.string, changing[player] == nil,
                number > changedBehind[player] ?? -1
            {
                call(player, name)
            }
            if status == 200, let answer, codes.isUnchanged(player, since: behind) {
                lists.check(
                    answer, of: player, expected: deviceCount(of: player), hasCode: codes.hasRecoveryCode(player))
            }
        case .linkCode, .recoveryCode:
            if status == 201, let code = answer?["code"]?.string { context.secrets.keep(code, "a code") }
        case .register, .addDevice, .forgetByName: break
        }
    }

    /// The number of a player's devices; nil if unclear.
    private func deviceCount(of player: String) -> Int? {
        guard changing[player] == nil, !codes.mayChangeDevices(of: player) else { return nil }
        let tokens = players.filter { $0.value == player }.keys
        return tokens.contains { unclearTokens[$0] != nil } ? nil : tokens.count
    }

    private func settle(_ token: String) {
        guard let count = unclearTokens[token] else { return }
        unclearTokens[token] = count > 1 ? count - 1 : nil
    }

    /// It is unclear whether a player's tokens are valid, or clear again.
    private func blur(_ player: String, by count: Int) {
        for (token, owner) in players where owner == player {
            if count > 0 { unclearTokens[token, default: 0] += count } else { settle(token) }
        }
    }

    private func beginChange(of player: String) {
        changing[player, default: 0] += 1
        if changing[player] != 1 { racing.insert(player) }
    }

    /// Whether the answer says the player's name from now on.
    private func finishChange(of player: String, isUnclear: Bool) -> Bool {
        let (count, isRace) = (changing[player] ?? 1, racing.contains(player))
        changing[player] = count > 1 ? count - 1 : nil
        if count <= 1 { racing.remove(player) }
        changedBehind[player] = newest
        changedAt[player] = context.now
        if isUnclear, names[player] != .forgotten { names[player] = .unclear }
        return !isRace
    }

    /// Everyone knows everything, and clients without an answer are gone.
    func cameToRest() {
        settleRequests()
        changedAt = [:]
    }

    func hubDied() { settleRequests() }

    /// Unanswered requests never will be answered, but may have been done.
    func settleRequests() {
        for number in requests.keys.sorted() { responseSent(number, status: 503, nil) }
    }

    /// This request alone will never be answered.
    func requestAbandoned(_ request: Int) { if requests[request] != nil { responseSent(request, status: 503, nil) } }

    private func call(_ player: String, _ name: String, isKnown: Bool = true) {
        forgottenAt[name] = nil
        if let known = names[player], known != .known(name) { changedAt[player] = context.now }
        if names[player] != .forgotten {
            names[player] = isKnown && changing[player] == nil ? .known(name) : .unclear
        }
        let others = names.filter { $0.key != player && $0.value == .known(name) && changing[$0.key] == nil }
        guard let other = others.keys.min() else { return }
        findings.recordBreach("a name is one player's", "\(name) is \(other) and \(player)")
    }

    private func forget(_ player: String) {
        forgetName(of: player)
        for (token, owner) in players where owner == player { removeToken(token, from: player) }
    }

    private func removeToken(_ token: String, from player: String) {
        players[token] = nil
        unclearTokens[token] = nil
        formerly[token] = (player, context.now)
    }

    private func forgetName(of player: String) {
        guard names[player] != .forgotten else { return }
        if case .known(let name) = names[player] {
            (forgottenAt[name], forgotten[player]) = (context.now, name)
            if changing[player] ?? 0 <= 1, !racing.contains(player) { free.giveUp(name) }
        }
        changedAt[player] = context.now
        names[player] = .forgotten
    }

    private func forget(named name: String) {
        if let player = names.first(where: { $0.value == .known(name) })?.key { return forget(player) }
        // It was spelled differently.
        for player in names.keys where names[player] != .forgotten {
            names[player] = .unclear
            blur(player, by: 1)
        }
    }

    /// Known if the device has asked for its account.
    private func token(ofDevice id: String) -> String? { devices.first { $0.value == id }?.key }

    private func revoke(_ device: String, of player: String) {
        lists.revoke(device, of: player)
        if let token = token(ofDevice: device) {
            removeToken(token, from: player)
        } else {
            blur(player, by: 1)
        }
    }
}
