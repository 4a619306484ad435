import EventStore
import Games
import WebProtocols

// Players over HTTP.
extension API {
    /// `POST /api/players`: 201, or 200 where this token bears this name already.
    func register(_ request: HTTPRequest, from address: String) throws(RequestError) -> Future<HTTPResponse> {
        let fields = try object(request)
        let row = try refusing(as: 422, try player(fields))
        return Future.reading { [readModels] in readModels.player(tokenHash: row.tokenHash, then: $0) }
            .then { [self] bearer throws(RequestError) -> Future<PlayerRegistry.Answer> in
                if let bearer { return .value(.borne(bearer)) }
                try limitPlayers(from: address)
                return order(.register(row))
            }
            .map { answer throws(RequestError) in
                switch answer {
                case .settled(.appended): return .json(201, row.fields)
                case .settled(.repeated): return .json(200, row.fields)
                case .settled(.conflict): throw RequestError(409, Rejection("name-taken", "This name is taken."))
                case .settled(.unavailable), .settled(.outcomeUnknown): throw .logUnavailable
                case .borne(let bearer) where bearer.folded == row.folded: return .json(200, bearer.fields)
                case .borne:
                    throw RequestError(
                        409, Rejection("token-has-name", "The player of this token already has another name."))
                }
            }
    }

    /// The player whom such a request would make.
    private func player(_ fields: Fields) throws(Rejection) -> PlayerRow {
        guard let raw = fields["name"]?.string else { throw .badField("name", "a string") }
        guard let token = fields["token"]?.string.flatMap({ PlayerToken($0) }) else {
            throw .badField("token", "32 random bytes in base64url, without padding")
        }
        return PlayerRow(registering: try PlayerName(raw), with: token)
    }

    private func limitPlayers(from address: String) throws(RequestError) {
        let count = surroundings.addressLimits.registrations.count(address, now: surroundings.now)
        guard case .pastLimit(let wait) = count else { return }
        throw RequestError(
            429, Rejection("too-many-players", "Too many new players from your address: wait a minute."),
            headers: ["Retry-After": String(wait)])
    }

    /// `DELETE /api/players/me`: 204. The name is free again, and whoever bore it is someone: records name players by
    /// their ids.
    func forgetCaller(_ request: HTTPRequest, from address: String) -> Future<HTTPResponse> {
        caller(request, from: address).then { [self] player in forget(player) }
    }

    /// `DELETE /api/players/{name}`, the operator's: the same for whoever bears this name.
    func forgetPlayer(named name: String) -> Future<HTTPResponse> {
        // From the log, not from the rows: what is to be forgotten is what the log holds. A player has one record.
        Future.reading { [surroundings] in
            surroundings.load(.player(PlayerName.folded(name)), after: 0, limit: 1, then: $0)
        }
        .then { [self] records throws(RequestError) in
            guard let player = records.lazy.compactMap({ PlayerRow($0) }).first else {
                throw RequestError(404, Rejection("no-such-player", "Nobody bears this name."))
            }
            return forget(player)
        }
    }

    private func forget(_ player: PlayerRow) -> Future<HTTPResponse> {
        order(.forget(player)).map { answer throws(RequestError) in
            switch answer {
            case .settled(.appended), .settled(.repeated), .settled(.conflict): return HTTPResponse(status: 204)
            case .settled(.unavailable), .settled(.outcomeUnknown), .borne: throw .logUnavailable
            }
        }
    }

    private func order(_ order: PlayerRegistry.Order) -> Future<PlayerRegistry.Answer> {
        Future { [shard] done in shard.registry.ask(order) { done(.success($0)) } }
    }
}

extension PlayerRow {
    /// As in the answer to `POST /api/players`.
    fileprivate var fields: Fields { ["id": .string(id), "name": .string(name)] }
}
