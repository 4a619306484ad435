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
            let name = try PlayerName(raw)
            let row = PlayerRow(id: token.player, name: name.text, folded: name.folded, tokenHash: token.hash)
            let known = OneAnswer(surroundings) { [self] message in
                guard case .players(_, .success(let rows)) = message else {
                    return exchange.respond(.refused(503, .logUnavailable))
                }
                guard let bearer = rows.first else { return append(row, exchange) }
                guard bearer.folded == row.folded else {
                    return exchange.respond(
                        .refused(
                            409, Rejection("token-has-name", "The player of this token already has another name.")))
                }
                exchange.respond(.json(200, bearer.fields))
            }
            surroundings.projections.player(
                tokenHash: row.tokenHash, ticket: known.ticket, answer: surroundings.inbox)
        } catch { exchange.respond(.refused(422, error)) }
    }

    /// `DELETE /api/players/me`: 204. The name is free again, and whoever bore it is someone: records name players by
    /// their ids.
    func forgetPlayer(_ request: HTTPRequest, _ exchange: any Exchange) {
        authenticated(request, exchange) { [self] player in
            let answer = OneAnswer(surroundings) { [self] message in
                guard case .settled(_, .appended) = message else {
                    return exchange.respond(.refused(503, .logUnavailable))
                }
                surroundings.projections.apply([.playerErased(folded: player.folded)], reached: nil)
                for index in 0..<shard.shards.count { shard.shards.post(.forgotten(player.id), to: index) }
                exchange.respond(HTTPResponse(status: 204))
            }
            surroundings.log.erase(.player(player.folded), ticket: answer.ticket, answer: surroundings.inbox)
        }
    }

    /// A name is unique because registering it is an append to its stream that expects it to be empty.
    private func append(_ row: PlayerRow, _ exchange: any Exchange) {
        guard mayRegister(exchange) else { return }
        let answer = OneAnswer(surroundings) { [self] message in
            guard case .settled(_, let outcome) = message else { return }
            switch outcome {
            case .appended:
                // Before the answer, so that the token is known when the client says hello with it.
                surroundings.projections.apply([.player(row)], reached: nil)
                exchange.respond(.json(201, row.fields))
            case .conflict: exchange.respond(.refused(409, Rejection("name-taken", "This name is taken.")))
            case .unavailable, .outcomeUnknown: exchange.respond(.refused(503, .logUnavailable))
            }
        }
        surroundings.log.append(
            row.commit(at: surroundings.now), to: .player(row.folded), expecting: 0, ticket: answer.ticket,
            answer: surroundings.inbox)
    }
}

extension PlayerRow {
    /// As in the answer to `POST /api/players`.
    fileprivate var fields: Fields { ["id": .string(id), "name": .string(name)] }
}
