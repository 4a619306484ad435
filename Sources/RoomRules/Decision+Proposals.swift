import Games

// How players agree on a restart or a rematch.
extension Decision {
    /// Asks every player whose answer counts. If all others are computers, it happens at once.
    func propose(_ subject: Proposal.Subject, by player: PlayerID, at seat: Seat) throws(Rejection) {
        let others = state.seats.keys.sorted().filter { $0 != seat }
        let asked = others.filter { isAsked($0, about: subject) }
        guard asked.isEmpty else {
            let deadline = context.now + Proposal.answerTimeout
            return add(Proposed(subject: subject, seat: seat, player: player, asked: asked, deadline: deadline))
        }
        let hasOthers = others.contains { state.seats[$0].map(state.isComputer) == false }
        switch subject {
        // No one escapes from a losing game while the others are away.
        case .restart:
            guard !hasOthers else { throw .nobodyToAsk }
            restart()
        case .rematch:
            guard !hasOthers || others.contains(where: isComputer) else { throw .nobodyToAsk }
            try rematch(of: [seat], isAlone: !hasOthers)
        }
    }

    /// Anyone with a seat may join a rematch, such as a player who has sat down since, or who said no before.
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

    /// Ends the proposal, or does what it says, if the events so far settle it. Called after everything that may.
    func settleProposal(isTimeUp: Bool = false) {
        guard fault == nil, let proposal = state.proposal else { return }
        guard !proposal.agreed.isEmpty else { return add(ProposalEnded(reason: .withdrawn)) }
        guard isTimeUp || proposal.asked.isEmpty else { return }
        switch proposal.subject {
        case .restart where proposal.asked.isEmpty && proposal.agreed.count > 1: restart()
        case .restart: endProposal()
        case .rematch:
            // Players who have disconnected since are not dealt in.
            let here = proposal.agreed.filter { state.seats[$0].map(context.attendance.isConnected) == true }
            // Computers do not play among themselves.
            guard !here.isEmpty else { return endProposal() }
            do { try rematch(of: here, isAlone: false) } catch { endProposal() }
        }

        func endProposal() { add(ProposalEnded(reason: isTimeUp ? .expired : .declined)) }
    }

    private func isComputer(_ seat: Seat) -> Bool { state.seats[seat].map(state.isComputer) == true }

    /// Computers always agree. No one waits for players who are gone, or for whom a computer plays. With long turns,
    /// where players come and go, a restart asks even those who are gone.
    private func isAsked(_ seat: Seat, about subject: Proposal.Subject) -> Bool {
        guard let player = state.seats[seat], !state.isComputer(player) else { return false }
        return switch subject {
        case .restart:
            state.playing[seat] == player && !state.isHelped(seat)
                && (state.hasLongTurns || !state.isGone(seat, context))
        case .rematch: context.attendance.isConnected(player)
        }
    }

    /// Another game of the seats in `agreed` and all computers. After a game of several it needs two, unless `isAlone`,
    /// which means that no other person has a seat. The first turn moves on by one seat each game.
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
    fileprivate static let notAsked = Rejection("not-asked", "You were not asked. Only players who are here decide.")
}
