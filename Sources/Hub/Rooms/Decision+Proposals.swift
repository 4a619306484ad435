import Games

// How a table comes to agree on something, and what follows.
extension Decision {
    /// Asks all whose answer counts; where there is nobody to ask it happens at once.
    func propose(_ subject: Proposal.Subject, by seat: Seat) throws(Rejection) {
        let asked = state.seats.keys.sorted().filter { $0 != seat && isAsked($0, about: subject) }
        guard asked.isEmpty else {
            let deadline = context.now + Proposal.answerTimeout
            return add(Proposed(subject: subject, seat: seat, asked: asked, deadline: deadline))
        }
        switch subject {
        case .restart: restart()
        case .rematch: try rematch(among: [seat])
        }
    }

    /// Anyone with a seat may join a rematch, asked or not: whoever has come since it was proposed, or thinks better.
    func answer(agrees: Bool, by seat: Seat) throws(Rejection) {
        guard let proposal = state.proposal else { return }
        let isAwaited = proposal.asked.contains(seat)
        let hasAgreed = proposal.agreed.contains(seat)
        guard isAwaited || hasAgreed || proposal.subject == .rematch else { throw .notAsked }
        guard isAwaited || hasAgreed != agrees else { return }
        guard agrees || seat != proposal.seat else { return add(ProposalEnded(reason: .withdrawn)) }
        add(Answered(seat: seat, agrees: agrees))
        if !agrees, proposal.subject == .restart { add(ProposalEnded(reason: .declined)) }
    }

    /// What has become of a proposal by what was decided before: belongs behind everything that may settle it.
    func settleProposal(isTimeUp: Bool = false) {
        guard fault == nil, let proposal = state.proposal else { return }
        guard !proposal.agreed.isEmpty else { return add(ProposalEnded(reason: .withdrawn)) }
        guard isTimeUp || proposal.asked.isEmpty else { return }
        switch proposal.subject {
        case .restart where proposal.asked.isEmpty: restart()
        case .restart: add(ProposalEnded(reason: .expired))
        case .rematch:
            do { try rematch(among: proposal.agreed) } catch {
                add(ProposalEnded(reason: isTimeUp ? .expired : .declined))
            }
        }
    }

    /// Computers agree always. Nobody waits for who could not answer, or would not care.
    private func isAsked(_ seat: Seat, about subject: Proposal.Subject) -> Bool {
        guard let player = state.seats[seat], !state.isComputer(player) else { return false }
        return switch subject {
        case .restart: state.playing[seat] == player && !state.isHelped(seat) && !state.isGone(seat, context)
        case .rematch: context.attendance.isConnected(player)
        }
    }

    /// Another game of those who agree and of the computers. One alone is no rematch of several, unless nobody else has
    /// a seat any more. Who begins moves on by one seat a game.
    private func rematch(among agreed: [Seat]) throws(Rejection) {
        let computers = state.seats.filter { state.isComputer($0.value) }.map(\.key)
        let seats = (agreed + computers).sorted()
        let needed = min(2, state.lastStart?.players.count ?? 1, state.seats.count)
        guard seats.count >= needed else { throw .playerCount(seats.count, range: needed...state.seatCount) }
        try start(seats, first: state.first.flatMap { last in seats.first { $0 > last } })
    }
}

extension Rejection {
    fileprivate static let notAsked = Rejection("not-asked", "You are not asked: those who are here and play decide.")
}
