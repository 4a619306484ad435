/// Whether the hub may end a connection, by the protocol's table of close codes, as far as its reasons can be seen.
struct ClosingCheck {
    let code: Int
    let context: ModelContext
    let said: SaidCounts
    /// Whether the client takes what it is sent, and has for a while.
    let reads: Bool
    /// Whether it may have been turned away at once.
    let isNew: Bool

    /// Messages ahead of the answer to a hello, and answers that are not taken.
    private static let waitingLimit = 64

    /// `isRefused`: there is something else for which it may be ended as who breaks the rules.
    func run(isRefused: Bool, _ place: @autoclosure () -> String) {
        context.findings.expect(
            mayBe(isRefused), "a connection is ended for what the protocol says", "\(place()): \(code), \(said)")
    }

    private func mayBe(_ isRefused: Bool) -> Bool {
        let isHindered = context.hinderedAt >= context.now - AnswerForm.lag
        return switch code {
        // What breaks RFC 6455, is no text, stops or is silent, is not seen from here.
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
    /// For which a hello is waited for, in ms.
    private static let helloTime = 30_000
    /// For which who reads again may still be let go, in ms.
    private static let readingTime = 1_000

    /// The hub ends it.
    func checkClosing(_ code: Int) {
        let isSilent = !saidHello && context.now - openedAt >= Self.helloTime - context.clockSpread
        let isNobodys = token != nil && (context.accounts.player(of: token) == nil || !context.accounts.isClear(token))
        ClosingCheck(
            code: code, context: context, said: said,
            reads: isReading && readsSince < context.now - Self.readingTime, isNew: !isGreeted
        )
        .run(
            isRefused: room?.version ?? 0 == 0 || isSilent || isNobodys,
            "connection \(number), room \(room?.code ?? "none")")
    }
}
