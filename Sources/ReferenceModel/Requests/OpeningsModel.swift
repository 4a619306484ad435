import Games
import JSON

/// Requests over HTTP for new rooms, and the resulting rooms.
final class OpeningsModel {
    private struct Request {
        let token: String?
        /// Its owner at that time, as far as known.
        let player: String?
        let game: String?
        /// Without those that are null.
        let options: Fields
        let visibility: String
        /// The code that refuses the options; nil if none.
        let refusal: String?
        let askedAt: Int
        /// The rooms that were opened: more than one if the outcome of the first was unknown.
        var codes: [String] = []
        /// Rooms opened for this request or for another with the same content.
        var possibleCodes: [String] = []
    }

    private unowned let context: ModelContext
    private var requests: [Int: Request] = [:]
    /// Requests answered with `log-unavailable`. A slow database may write them all the same.
    private var doubtful: [Request] = []

    /// Characters of a code: of an unlisted room, and of any other.
    private static let (unlistedLength, publicLength) = (17, 6)
    private static let alphabet = Set("23456789abcdefghjkmnpqrstuvwxyz".utf8)

    init(context: ModelContext) { self.context = context }

    /// A hub has started. Requests to the previous one have been written or never will be.
    func hubStarted() { (requests, doubtful) = ([:], []) }

    /// Its hub has died.
    func requestAbandoned(_ number: Int) { requests[number] = nil }

    func requestArrived(_ number: Int, method: String, target: String, token: String?, body: [UInt8]) {
        guard method == "POST", target == "/api/rooms" else { return }
        let asked = Value.read(body)
        let game = asked?["game"]?.string
        let options = (asked?["options"]?.object ?? [:]).withoutNulls
        var refusal: String?
        do throws(Rejection) { _ = try Self.kind(game)?.options(options) } catch { refusal = error.code }
        requests[number] = Request(
            token: token, player: context.accounts.player(of: token), game: game, options: options,
            visibility: asked?["visibility"]?.string ?? "public", refusal: refusal, askedAt: context.now)
    }

    /// A commit by `player` records a room with this code. Returns its fault.
    func roomOpened(_ event: Value, _ code: String, by player: String) -> BrokenPromise? {
        guard event["host"]?.string == player else {
            return BrokenPromise("the opener of a room is its host", "\(event) by \(player)")
        }
        func fits(_ request: Request) -> Bool {
            (request.player == player || context.accounts.mayBe(player, by: request.token))
                && event["game"]?.string == request.game && event["visibility"]?.string == request.visibility
                && request.options.difference(from: event["options"]?.object ?? [:]) == nil
        }
        let fitting = requests.filter { fits($0.value) }
        let doubted = doubtful.firstIndex(where: fits)
        guard !fitting.isEmpty || doubted != nil else {
            return BrokenPromise("a room is opened as it was asked for", "\(event) by \(player)")
        }
        if fitting.count == 1, doubted == nil, let number = fitting.keys.first {
            requests[number]?.codes.append(code)
        } else {
            for number in fitting.keys { requests[number]?.possibleCodes.append(code) }
        }
        if fitting.isEmpty, let doubted { doubtful.remove(at: doubted) }
        let length = event["visibility"] == "unlisted" ? Self.unlistedLength : Self.publicLength
        guard code.utf8.count == length, code.utf8.allSatisfy(Self.alphabet.contains) else {
            return BrokenPromise("a room's code is long enough", "\(code): \(event)")
        }
        return nil
    }

    func responseSent(_ number: Int, status: Int, _ answer: Value?) {
        guard let request = requests.removeValue(forKey: number) else { return }
        let place = "\(request.game ?? "no game"), \(request.options): \(status), \(answer ?? .null)"
        switch status {
        case 201:
            context.findings.expect(
                answer?["code"]?.string.map((request.codes + request.possibleCodes).contains) ?? false,
                "the opener of a room gets its code",
                "\(place) instead of \(request.codes), or of \(request.possibleCodes)")
            context.findings.expect(request.refusal == nil, "impossible options are refused", place)
        case 400..<500:
            context.findings.expect(request.codes.isEmpty, "a refused command changes nothing", place)
            guard status == 422, let code = answer?["code"]?.string, code != "bad-field" else { return }
            if ["unknown-game", "older-node"].contains(code) { return checkGame(of: request, code, place) }
            context.findings.expect(code == request.refusal, "possible options are accepted", place)
        case 503 where context.isCluster: doubtful.append(request)
        default: break
        }
    }

    /// A hub chooses its own games, but the nodes of a cluster have the same ones, except for older releases.
    private func checkGame(of request: Request, _ code: String, _ place: String) {
        guard code == "older-node" || context.isCluster && Self.kind(request.game) != nil else { return }
        context.findings.expect(
            context.mayLack(game: request.game ?? "", since: request.askedAt), ReleasesModel.rule, place)
    }

    private static func kind(_ game: String?) -> (any Game.Type)? { GameList.all.first { $0.name == game } }
}
