import JSON

// After a database has failed over.
extension AccountsModel {
    /// Recent changes of a player's account may not have happened.
    func goBack(_ player: String) {
        codes.goBack(player)
        lists.forget(player)
        if let name = forgotten.removeValue(forKey: player) { forgottenAt[name] = nil }
        if names[player] != nil { names[player] = .unclear }
        changedAt[player] = context.now
        // It is unknown whether its tokens are valid now, or valid again.
        let former = formerly.filter { $0.value.player == player }.keys
        for token in players.filter({ $0.value == player }).map(\.key) + former {
            unclearTokens[token, default: 0] += 1
        }
    }

    /// Whether an answer may be about this player, whose token may be lost and given to another since.
    func mayBeOf(_ player: String, _ token: String, _ answer: Value?) -> Bool {
        isClear(token) || answer?["id"]?.string.map { $0 == player } ?? true
    }

    /// What is answered from now on may have been done before.
    func wentBack() {
        settleRequests()
        free.forget()
    }
}
