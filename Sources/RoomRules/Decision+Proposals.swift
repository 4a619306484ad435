import Games

// How a table comes to agree on something, and what follows.
extension Decision {
    /// Asks all whose answer counts; with computers alone it happens at once.
    func propose(_ subject: Proposal.Subject, by player: PlayerID, at seat: Seat) throws(Rejection) {
        let others = state.seats.keys.sorted().filter { $0 != seat }
        let asked = others.filter { isAsked($0, about: subject) }
        guard asked.isEmpty else {
            let deadline = context.now + Proposal.answerTimeout
            return add(Proposed(subject: subject, seat: seat, player: player, asked: asked, deadline: deadline))
        }
        let hasOthers = others.contains { state.seats[$0].map(state.isComputer) == false }
        switch subject {
        // Nobody gets out of a game that goes badly while the others are not there.
        case .restart:
            guard !hasOthers else { throw .nobodyToAsk }
            restart()
        case .rematch:
            guard !hasOthers || others.contains(where: isComputer) else { throw .nobodyToAsk }
            try rematch(of: [seat], isAlone: !hasOthers)
        }
    }

    /// Anyone with a seat may join a rematch, asked or not: whoever has come since it was proposed, or thinks better.
    func answer(agrees: Bool, by player: PlayerID, at seat: Seat) throws(Rejection) {
        guard let proposal = state.proposal else { return }
        let isAwaited = proposal.asked.contains(seat)
        let hasAgreed = proposal.agreed.contains(seat)
        guard isAwaited || hasAgreed || proposal.subject == .rematch else { throw .notAsked }
        guard isAwaited || hasAgreed != agrees else { return }
        guard agrees || player != proposal.player else { return add(ProposalEnded(reason: .withdrawn)) }
        add(Answered(seat: seat, player: player, agrees: agrees))
        if !agrees, proposal.subject == .restart { add(ProposalEnded(reason: .declined)) }
    }

    /// What has become of a proposal by what was decided before: belongs behind everything that may settle it.
    func settleProposal(isTimeUp: Bool = false) {
        guard fault == nil, let proposal = state.proposal else { return }
        guard !proposal.agreed.isEmpty else { return add(ProposalEnded(reason: .withdrawn)) }
        guard isTimeUp || proposal.asked.isEmpty else { return }
        switch proposal.subject {
        case .restart where proposal.asked.isEmpty && proposal.agreed.count > 1: restart()
        case .restart: end()
        case .rematch:
            // Whoever has gone since is not dealt in.
            let here = proposal.agreed.filter { state.seats[$0].map(context.attendance.isConnected) == true }
            // Computers do not play among themselves.
            guard !here.isEmpty else { return end() }
            do { try rematch(of: here, isAlone: false) } catch { end() }
        }

        func end() { add(ProposalEnded(reason: isTimeUp ? .expired : .declined)) }
    }

    private func isComputer(_ seat: Seat) -> Bool { state.seats[seat].map(state.isComputer) == true }

    /// Computers agree always. Nobody waits for who could not answer, or would not care; only long turns are played by
    /// people who come and go.
    private func isAsked(_ seat: Seat, about subject: Proposal.Subject) -> Bool {
        guard let player = state.seats[seat], !state.isComputer(player) else { return false }
        return switch subject {
        case .restart:
            state.playing[seat] == player && !state.isHelped(seat)
                && (state.hasLongTurns || !state.isGone(seat, context))
        case .rematch: context.attendance.isConnected(player)
        }
    }

    /// Another game of those who agree and of the computers. One alone is no rematch of several, unless `isAlone`:
    /// nobody else has a seat any more. Who begins moves on by one seat a game.
    private func rematch(of agreed: [Seat], isAlone: Bool) throws(Rejection) {
        let computers = state.seats.filter { state.isComputer($0.value) }.map(\.key)
        let seats = (agreed + computers).sorted()
        let needed = isAlone ? 1 : min(2, state.lastStart?.players.count ?? 1)
        guard seats.count >= needed else { throw .playerCount(seats.count, range: needed...state.seatCount) }
        try start(seats, first: state.first.flatMap { last in seats.first { $0 > last } })
    }
}

extension Rejection {
    fileprivate static let nobodyToAsk = Rejection("nobody-to-ask", "No one who could agree is here.")
    fileprivate static let notAsked = Rejection("not-asked", "You are not asked. Only players who are here decide.")
}
