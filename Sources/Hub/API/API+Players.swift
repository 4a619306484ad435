import EventStore
import Games
import JSON
import Rooms
import Transport
import WebProtocols

// Players over HTTP, with their names and devices.
extension API {
    // MARK: By a token in the body

    /// `POST /api/players`: 201, or 200 if this token already has this name.
    func register(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        let fields = try claimedObject(request)
        let (device, name) = try refusing(as: 422, (try device(in: fields), try name(in: fields)))
        return limited(device, from: request.peer)
            .then { [self] in
                runAccountCommand(.register(name, device), on: .token(hash: device.tokenHash), for: request)
            }
    }

    /// `POST /api/players/devices`: 201, or 200 if the player already has this device.
    func addDevice(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        let fields = try claimedObject(request)
        let device = try refusing(as: 422, try device(in: fields))
        guard let text = fields["code"]?.string else { throw RequestError(422, .badField("code", "a string")) }
        return limited(device, from: request.peer)
            .then { [self] () throws(RequestError) in
                guard let code = AccountCode(text) else { throw refusal(.unknownCode, of: request) }
                return runAccountCommand(.addDevice(device, code), on: .id(code.account), for: request)
            }
    }

    /// A token that is new to the hub counts against its address.
    private func limited(_ device: AccountCommand.NewDevice, from peer: Peer) -> Future<Void> {
        account(.token(hash: device.tokenHash)).map { [self] bearer throws(RequestError) in
            if bearer == nil { try countRegistration(from: peer) }
        }
    }

    private func countRegistration(from peer: Peer) throws(RequestError) {
        let count = surroundings.addressLimits.registrations.count(peer, now: surroundings.now)
        guard case .pastLimit(let wait) = count else { return }
        surroundings.hit(.registrationsPerMinute, by: peer)
        throw RequestError(
            429,
            Rejection("too-many-players", "Too many new players, devices and names from your address. Wait a minute."),
            headers: ["Retry-After": String(wait)])
    }

    private func name(in fields: Fields) throws(Rejection) -> PlayerName {
        guard let raw = fields["name"]?.string else { throw .badField("name", "a string") }
        return try PlayerName(raw)
    }

    private func device(in fields: Fields) throws(Rejection) -> AccountCommand.NewDevice {
        guard let token = fields["token"]?.string.flatMap({ PlayerToken($0) }) else {
            throw .badField("token", "32 random bytes in base64url, without padding")
        }
        let label = fields["device"] ?? .null
        guard label == .null || label.string != nil else { throw .badField("device", "a string") }
        return try AccountCommand.NewDevice(tokenHash: token.hash, label: label.string ?? "")
    }

    // MARK: By the caller's token

    /// `GET /api/players/me`.
    func describeCaller(_ request: RoutedRequest) -> Future<HTTPResponse> {
        caller(request).map { [self] account in
            let own = token(of: request.head)?.hash
            return .json(
                200,
                [
                    "id": .string(account.id), "name": .string(account.name),
                    "devices": .list(account.devices.map { .object($0.fields(isCurrent: $0.tokenHash == own)) }),
                    "recoveryCode": .bool(account.recovery != nil),
                ])
        }
    }

    /// `PUT /api/players/me/name`.
    func renameCaller(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        let fields = try object(request)
        let name = try refusing(as: 422, try name(in: fields))
        try countRegistration(from: request.peer)
        return try change(.rename(name), request)
    }

    /// `DELETE /api/players/me`.
    func forgetCaller(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        try change(.forget, request)
    }

    /// `DELETE /api/players/me/devices/{id}`.
    func revokeDevice(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        try change(.revoke(device: request.parameter), request)
    }

    /// `POST /api/players/me/link-code`.
    func makeLinkCode(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        try change(.makeLinkCode, request)
    }

    /// `POST /api/players/me/recovery-code`.
    func makeRecoveryCode(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        try change(.makeRecoveryCode, request)
    }

    /// Changes the account of the request's token.
    private func change(
        _ command: AccountCommand, _ request: RoutedRequest
    ) throws(RequestError) -> Future<HTTPResponse> {
        guard let token = token(of: request.head) else { throw unauthorized(request, as: "a player") }
        return runAccountCommand(command, on: .token(hash: token.hash), for: request)
    }

    // MARK: By the operator

    /// `DELETE /api/players/{name}`: 204. The name is free again, and its player shows as someone, since records name
    /// players by id.
    func forgetPlayer(_ request: RoutedRequest) throws(RequestError) -> Future<HTTPResponse> {
        guard isOperators(request.head) else { throw unauthorized(request, as: "the hub's operator") }
        let key = AccountReader.Key.name(folded: PlayerName.folded(request.parameter))
        return ask(.forget, on: key).map { answer throws(RequestError) in
            try answer.response { _ in RequestError(404, Rejection("no-such-player", "No player has this name.")) }
        }
    }

    // MARK: Shared by these routes

    private func runAccountCommand(
        _ command: AccountCommand, on key: AccountReader.Key, for request: RoutedRequest
    ) -> Future<HTTPResponse> {
        ask(command, on: key).map { [self] answer throws(RequestError) in
            try answer.response { refusal($0, of: request) }
        }
    }

    private func ask(_ command: AccountCommand, on key: AccountReader.Key) -> Future<AccountDesk.Answer> {
        Future { [shard] done in
            shard.accountDesk.ask(AccountDesk.Order(key: key, command: command)) { done(.success($0)) }
        }
    }

    /// A wrong token or code counts against its address.
    private func refusal(_ rejection: Rejection, of request: RoutedRequest) -> RequestError {
        switch rejection {
        case .unknownToken: unauthorized(request, as: "a player")
        case .unknownCode: failure(404, rejection, from: request.peer)
        case .noSuchDevice: RequestError(404, rejection)
        case .tooManyChanges: RequestError(429, rejection)
        default: RequestError(409, rejection)
        }
    }
}

extension AccountDesk.Answer {
    fileprivate func response(_ refusal: (Rejection) -> RequestError) throws(RequestError) -> HTTPResponse {
        switch self {
        case .done(.gone): return HTTPResponse(status: 204)
        case .done(.player(let id, let name, let isNew)):
            return .json(isNew ? 201 : 200, ["id": .string(id), "name": .string(name)])
        case .done(.device(let id, let name, let way, let isNew)):
            return .json(isNew ? 201 : 200, ["id": .string(id), "name": .string(name), "by": .string(way.rawValue)])
        case .done(.code(let code, let until)): return .json(201, code.fields(until: until))
        case .refused(let rejection): throw refusal(rejection)
        case .busy: throw RequestError(503, Rejection("busy", "This player is changing too often. Try again."))
        case .unavailable(let error): throw error.map { RequestError($0) } ?? .logUnavailable
        }
    }
}

extension AccountCode {
    fileprivate func fields(until: Milliseconds?) -> Fields {
        var fields: Fields = ["code": .string(text)]
        if let until { fields["until"] = .integer(until) }
        return fields
    }
}

extension Account.Device {
    fileprivate func fields(isCurrent: Bool) -> Fields {
        var fields: Fields = ["id": .string(id), "label": .string(label), "since": .integer(since)]
        if isCurrent { fields["current"] = .bool(true) }
        return fields
    }
}
