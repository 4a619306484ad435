import JSON

/// The codes that add a device: which of them work, as far as requests and answers tell.
final class CodesModel {
    private enum State {
        case good
        /// Used, replaced or revoked, by an answer that has left the hub.
        case spent
        /// Unknown.
        case unclear
    }

    private struct Code {
        let player: String
        let kind: AccountRequest.Kind
        /// For link codes.
        let until: Int?
        /// The token that it was made with.
        let maker: String
        /// When it was given out, by `count`.
        let madeAt: Int
        var state = State.good
        /// A device was added with it.
        var isUsed = false
    }

    private struct Pending {
        let request: AccountRequest
        let player: String?
        /// By `count`.
        let since: Int
        let askedAt: Int
        /// The state of the code that it brings.
        var state: State?
        /// Whether nothing else was under way that could change whether that code works.
        var isAlone: Bool
    }

    private unowned let context: ModelContext
    private var codes: [String: Code] = [:]
    private var pending: [Int: Pending] = [:]
    /// Players for whom it is unknown whether a device was added or a code made.
    private var unclearPlayers: Set<String> = []
    /// Counts events, as a clock.
    private(set) var count = 0
    /// When a change of codes or devices was last asked for or answered, by `count`.
    private var changedAt: [String: Int] = [:]

    /// How far a loop's clock may lag behind the newest, in ms.
    private static let slack = 2_000
    /// How long a link code works, in ms.
    private static let linkSpan = 600_000

    init(context: ModelContext) { self.context = context }

    private var findings: Findings { context.findings }

    /// As codes are compared: case, dashes and blanks do not count, O is 0, I and L are 1.
    private static func canonical(_ code: String) -> String {
        String(
            code.uppercased().compactMap { letter -> Character? in
                switch letter {
                case "-", " ": nil
                case "O": "0"
                case "I", "L": "1"
                default: letter
                }
            })
    }

    // MARK: Requests

    /// `player`: the owner of the request's token.
    func requestArrived(_ number: Int, _ request: AccountRequest, by player: String?) {
        let code = request.code.flatMap { codes[Self.canonical($0)] }
        guard let player = code?.player ?? player, request.kind.changesCodes else { return }
        count += 1
        changedAt[player] = count
        var isAlone = true
        for (other, waiting) in pending where waiting.player == player {
            pending[other]?.isAlone = false
            isAlone = false
        }
        pending[number] = Pending(
            request: request, player: player, since: count, askedAt: context.now, state: code?.state, isAlone: isAlone)
    }

    /// `revoked`: the token of the device that the request signs out; nil if unknown.
    func responseSent(_ number: Int, status: Int, _ answer: Value?, revoked token: String?) {
        guard let asked = pending.removeValue(forKey: number), let player = asked.player else { return }
        count += 1
        changedAt[player] = count
        switch asked.request.kind {
        case .addDevice: added(asked, status, answer)
        case .linkCode, .recoveryCode: made(asked, player, status, answer)
        case .revoke:
            if status == 204 { tokenRevoked(token, asked, player) } else if status == 503 { blur(player) }
        case .forget:
            if status == 204 { spend(player) } else if status == 503 { blur(player) }
        case .register, .rename, .account, .forgetByName: break
        }
    }

    private func added(_ asked: Pending, _ status: Int, _ answer: Value?) {
        let text = Self.canonical(asked.request.code ?? "")
        guard let code = codes[text] else { return }
        switch status {
        case 201:
            codes[text]?.isUsed = true
            codes[text]?.state = .spent
            let place = "the code of \(code.player), made at \(code.madeAt): \(answer ?? .null)"
            findings.expect(!code.isUsed, "a code adds one device", place)
            findings.expect(asked.state != .spent, "a replaced or void code adds no device", place)
            findings.expect(
                code.until.map { asked.askedAt - Self.slack < $0 } ?? true, "a code adds a device in time", place)
            findings.expect(
                (answer?["id"]?.string == code.player || !context.accounts.isClear(code.maker))
                    && answer?["by"]?.string == (code.kind == .linkCode ? "link" : "recovery"),
                "a device belongs to the code's player", place)
        case 404:
            let isInTime = code.until.map { context.now + Self.slack < $0 } ?? true
            findings.expect(
                !(asked.isAlone && asked.state == .good && isInTime), "a valid code adds a device",
                "the code of \(code.player), made at \(code.madeAt)")
        case 503:
            unclearPlayers.insert(code.player)
            if code.state == .good { codes[text]?.state = .unclear }
        default: break
        }
    }

    private func made(_ asked: Pending, _ player: String, _ status: Int, _ answer: Value?) {
        guard status == 201, let code = answer?["code"]?.string else {
            if status == 503 {
                blur(player, asked.request.kind)
                unclearPlayers.insert(player)
            }
            return
        }
        let text = Self.canonical(code)
        findings.expect(
            text.utf8.count == 32 && codes[text] == nil, "a code is 32 random characters",
            "a code for \(player)")
        if let until = answer?["until"]?.integer {
            findings.expect(
                until >= asked.askedAt - Self.slack + Self.linkSpan
                    && until <= context.now + Self.slack + Self.linkSpan,
                "a link code works for 10 minutes",
                "until \(until), at \(context.now)")
        }
        var isClear = true
        for (other, before) in codes
        where before.player == player && before.kind == asked.request.kind && before.state != .spent {
            let isReplaced = before.madeAt < asked.since
            if !isReplaced { isClear = false }
            codes[other]?.state = isReplaced ? .spent : .unclear
        }
        codes[text] = Code(
            player: player, kind: asked.request.kind, until: answer?["until"]?.integer,
            maker: asked.request.bearer ?? "", madeAt: count)
        if !(isClear && asked.isAlone) { codes[text]?.state = .unclear }
    }

    // MARK: What is known

    /// Whether a change of devices is under way, or its outcome is unknown.
    func mayChangeDevices(of player: String) -> Bool {
        unclearPlayers.contains(player) || pending.values.contains { $0.player == player }
    }

    /// Whether no change of codes or devices was asked for or answered since then.
    func isUnchanged(_ player: String, since time: Int) -> Bool { changedAt[player] ?? 0 <= time }

    /// Whether a player has a recovery code; nil if unclear.
    func hasRecoveryCode(_ player: String) -> Bool? {
        guard !mayChangeDevices(of: player) else { return nil }
        let own = codes.values.filter { $0.player == player && $0.kind == .recoveryCode }
        if own.contains(where: { $0.state == .good }) { return true }
        return own.contains { $0.state == .unclear } ? nil : false
    }

    // MARK: What becomes of codes

    /// Link codes are void, and so are this device's recovery codes, unless it signs itself out.
    private func tokenRevoked(_ token: String?, _ asked: Pending, _ player: String) {
        for (text, code) in codes where code.player == player && code.state != .spent {
            if code.kind == .recoveryCode, let token, token != code.maker || token == asked.request.bearer { continue }
            let isClear = code.madeAt < asked.since && (code.kind == .linkCode || token != nil)
            codes[text]?.state = isClear ? .spent : .unclear
        }
    }

    private func spend(_ player: String) {
        for (text, code) in codes where code.player == player { codes[text]?.state = .spent }
    }

    private func blur(_ player: String, _ kind: AccountRequest.Kind? = nil) {
        for (text, code) in codes
        where code.player == player && code.state == .good && kind.map({ $0 == code.kind }) ?? true {
            codes[text]?.state = .unclear
        }
    }

    /// Recent changes of a player's codes may not have happened.
    func goBack(_ player: String) {
        count += 1
        changedAt[player] = count
        unclearPlayers.insert(player)
        for (text, code) in codes where code.player == player {
            codes[text]?.state = .unclear
            codes[text]?.isUsed = false
        }
        for (number, asked) in pending where asked.player == player {
            pending[number]?.state = .unclear
            pending[number]?.isAlone = false
        }
    }

    /// An account is durably gone.
    func accountErased(_ player: String) { blur(player) }
}

extension AccountRequest.Kind {
    /// Whether the request may make, use or revoke codes.
    fileprivate var changesCodes: Bool {
        switch self {
        case .addDevice, .linkCode, .recoveryCode, .revoke, .forget: true
        case .register, .rename, .account, .forgetByName: false
        }
    }
}
