import EventStore
import Games
import WebProtocols

// Players over HTTP.
extension API {
    /// `POST /api/players`: 201, or 200 where this token bears this name already.
    func register(_ request: HTTPRequest, _ exchange: any Exchange) {
        guard mayFail(exchange), let fields = object(request, exchange) else { return }
        do throws(Rejection) {
            guard let raw = fields["name"]?.string else { throw .badField("name", "a string") }
            guard let token = fields["token"]?.string.flatMap({ PlayerToken($0) }) else {
                throw .badField("token", "32 random bytes in base64url, without padding")
            }
            let row = PlayerRow(registering: try PlayerName(raw), with: token)
            let known = OneAnswer(surroundings) { [self] message in
                guard case .players(_, .success(let rows)) = message else {
                    return exchange.respond(.refused(503, .logUnavailable))
                }
                if let bearer = rows.first { confirm(row, bearer, exchange) } else { register(row, exchange) }
            }
            surroundings.projections.player(
                tokenHash: row.tokenHash, ticket: known.ticket, answer: surroundings.inbox)
        } catch { exchange.respond(.refused(422, error)) }
    }

    private func register(_ row: PlayerRow, _ exchange: any Exchange) {
        guard mayRegister(exchange) else { return }
        shard.registry.ask(.register(row)) { [self] answer in
            switch answer {
            case .settled(.appended): exchange.respond(.json(201, row.fields))
            case .settled(.conflict): exchange.respond(.refused(409, Rejection("name-taken", "This name is taken.")))
            case .settled(.unavailable), .settled(.outcomeUnknown): exchange.respond(.refused(503, .logUnavailable))
            case .borne(let bearer): confirm(row, bearer, exchange)
            }
        }
    }

    /// The token to be registered is that of `bearer` already.
    private func confirm(_ row: PlayerRow, _ bearer: PlayerRow, _ exchange: any Exchange) {
        guard bearer.folded == row.folded else {
            return exchange.respond(
                .refused(409, Rejection("token-has-name", "The player of this token already has another name.")))
        }
        exchange.respond(.json(200, bearer.fields))
    }

    /// `DELETE /api/players/me`: 204. The name is free again, and whoever bore it is someone: records name players by
    /// their ids.
    func forgetCaller(_ request: HTTPRequest, _ exchange: any Exchange) {
        authenticated(request, exchange) { [self] player in forget(player, exchange) }
    }

    /// `DELETE /api/players/{name}`, the operator's: the same for whoever bears this name.
    func forgetPlayer(named name: String, _ exchange: any Exchange) {
        let answer = OneAnswer(surroundings) { [self] message in
            guard case .loaded(_, .success(let records)) = message else {
                return exchange.respond(.refused(503, .logUnavailable))
            }
            guard let player = records.lazy.compactMap({ PlayerRow($0) }).first else {
                return exchange.respond(.refused(404, Rejection("no-such-player", "Nobody bears this name.")))
            }
            forget(player, exchange)
        }
        // From the log, not from the rows: what is to be forgotten is what the log holds. A player has one record.
        surroundings.log.load(
            .player(PlayerName.folded(name)), after: 0, limit: 1, ticket: answer.ticket, answer: surroundings.inbox)
    }

    private func forget(_ player: PlayerRow, _ exchange: any Exchange) {
        shard.registry.ask(.forget(player)) { answer in
            switch answer {
            case .settled(.appended), .settled(.conflict): exchange.respond(HTTPResponse(status: 204))
            case .settled(.unavailable), .settled(.outcomeUnknown), .borne:
                exchange.respond(.refused(503, .logUnavailable))
            }
        }
    }
}

extension PlayerRow {
    /// As in the answer to `POST /api/players`.
    fileprivate var fields: Fields { ["id": .string(id), "name": .string(name)] }
}
