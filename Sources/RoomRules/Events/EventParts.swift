import Cryptography
import Games
import JSON

// Parts that several events have, as they are in the log and on the wire.

extension Seat {
    /// The field `seat`.
    init?(_ fields: Fields) {
        guard let number = fields["seat"]?.integer, (0..<RoomState.seatLimit).contains(number) else { return nil }
        self.init(number)
    }
}

extension Digest {
    /// The field `commitment`, which may be missing; nil if it is not a digest.
    static func commitment(_ fields: Fields) -> (digest: Digest?, Void)? {
        guard let value = fields["commitment"] else { return (nil, ()) }
        return value.string.flatMap { Digest(hex: $0) }.map { ($0, ()) }
    }
}

extension ServerSeed {
    /// The seed of `commitment` and the sealed bytes, or none if the game is not dealt. Nil if the two do not fit.
    static func read(_ fields: Fields, _ sealed: [UInt8]?) -> (seed: ServerSeed?, Void)? {
        guard let text = fields["commitment"]?.string else { return sealed == nil ? (nil, ()) : nil }
        guard let commitment = Digest(hex: text) else { return nil }
        guard let sealed else { return (.committed(commitment), ()) }
        let seed = ServerSeed.known(sealed)
        return seed.commitment == commitment ? (seed, ()) : nil
    }
}

extension Reveal {
    /// The field `reveal`, which may be missing; nil if it does not fit.
    static func read(_ fields: Fields) -> (reveal: Reveal?, Void)? {
        guard let value = fields["reveal"] else { return (nil, ()) }
        return value.object.flatMap { Reveal($0) }.map { ($0, ()) }
    }

    var fields: Fields {
        var fields: Fields = [:]
        if let seed {
            fields["seed"] = .string(seed.hex)
            fields["nonces"] = .list(
                nonces.map { .object(["seat": .integer($0.seat.rawValue), "nonce": .string($0.nonce.bytes.hex)]) })
        }
        if !seals.isEmpty { fields["seals"] = .list(seals.map { .object($0.fields) }) }
        return fields
    }

    init?(_ fields: Fields) {
        let seals = fields["seals"]?.list ?? []
        let opened = seals.compactMap { $0.object.flatMap { Seal($0) } }
        guard opened.count == seals.count else { return nil }
        guard let value = fields["seed"] else {
            self.init(seed: nil, nonces: [], seals: opened)
            return
        }
        guard let seed = value.string.flatMap({ [UInt8](hex: $0) }), let list = fields["nonces"]?.list else {
            return nil
        }
        let nonces = list.compactMap { entry -> SeatNonce? in
            guard let fields = entry.object, let seat = Seat(fields),
                let nonce = fields["nonce"]?.string.flatMap({ Nonce(hex: $0) })
            else { return nil }
            return SeatNonce(seat: seat, nonce: nonce)
        }
        guard nonces.count == list.count else { return nil }
        self.init(seed: seed, nonces: nonces, seals: opened)
    }
}

extension Seal {
    fileprivate var fields: Fields {
        ["v": .integer(version), "sealed": .string(sealed.bytes?.hex ?? "")]
    }

    fileprivate init?(_ fields: Fields) {
        guard let version = fields["v"]?.integer,
            let sealed = fields["sealed"]?.string.flatMap({ [UInt8](hex: $0) }).flatMap(SealedFields.init)
        else { return nil }
        self.init(version: version, sealed: sealed)
    }
}
