/// Whether the hub may end a connection, by the protocol's table of close codes, as far as the reasons can be seen.
struct ClosingCheck {
    let code: Int
    let context: ModelContext
    let said: SaidCounts
    /// Whether the client has been reading for a while.
    let reads: Bool
    /// Whether it may have been turned away at once.
    let isNew: Bool

    /// Messages ahead of the answer to a hello, and answers that are not read.
    private static let waitingLimit = 64

    /// `isRefused`: there is another reason to end it for breaking the rules.
    func run(isRefused: Bool, _ place: @autoclosure () -> String) {
        context.findings.expect(
            mayBe(isRefused), "a connection is closed for a reason in the protocol", "\(place()): \(code), \(said)")
    }

    private func mayBe(_ isRefused: Bool) -> Bool {
        let isHindered = context.hinderedAt >= context.now - AnswerForm.lag
        return switch code {
        // Violations of RFC 6455, binary messages, stops and silence cannot be seen from here.
        case 1002, 1003, 1007, 1009, 1012, 3008: true
        case 1008: isRefused || isMore(than: min(context.rates.early, 2 * context.rates.refusals))
        case 1011: isHindered
        case 1013: isHindered || isNew || !reads || isMore(than: Self.waitingLimit)
        default: false
        }
    }

    private func isMore(than count: Int) -> Bool { said.isMore(than: count, at: context.now) }
}

extension ConnectionModel {
    /// How long the hub waits for a hello, in ms.
    private static let helloTime = 30_000
    /// How long after it resumes reading a client may still be closed, in ms.
    private static let readingTime = 1_000

    func checkClosing(_ code: Int) {
        let isSilent = !saidHello && context.now - openedAt >= Self.helloTime - context.clockSpread
        let isNobodys = token != nil && (context.accounts.player(of: token) == nil || !context.accounts.isClear(token))
        ClosingCheck(
            code: code, context: context, said: said,
            reads: isReading && readsSince < context.now - Self.readingTime, isNew: !isGreeted
        )
        .run(isRefused: room?.version ?? 0 == 0 || isSilent || isNobodys, place)
    }
}
