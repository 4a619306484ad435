import Synchronization
import WebProtocols

/// Counts connections in total and by address, on all loops together.
final class Admission: Sendable {
    struct Place: ~Copyable, Sendable {
        private let admission: Admission
        /// Nil if no limit of an address applies.
        fileprivate let network: IPAddress?
        fileprivate let isConnection: Bool

        fileprivate init(_ admission: Admission, isConnection: Bool, network: IPAddress?) {
            self.admission = admission
            self.isConnection = isConnection
            self.network = network
        }

        deinit { admission.leave(network, isConnection: isConnection) }
    }

    /// The place of a proxy's client. The proxy's connection has a place already.
    final class ClientPlace: Sendable {
        private let place: Place

        init(_ place: consuming Place) { self.place = place }
    }

    struct Answer: ~Copyable {
        /// Nil if it has to be closed at once.
        var place: Place?
        /// Nil if it is admitted. Past a limit it may have a place too, to be told so.
        var refusal: Refusal?
    }

    enum Refusal: Equatable, Sendable {
        case tooMany, tooManyFromAddress

        /// The limit that it counts for.
        var limit: TransportLimit {
            switch self {
            case .tooMany: .connections
            case .tooManyFromAddress: .connectionsPerAddress
            }
        }
    }

    private struct Counts {
        var total = 0
        var ofNetwork: [IPAddress: Int] = [:]
    }

    private let limit: Int
    private let limitOfNetwork: Int
    private let counts = Mutex(Counts())

    init(_ options: TransportOptions) {
        (limit, limitOfNetwork) = (options.connectionLimit, options.connectionsPerAddress)
    }

    /// Limits the total, without a limit for each address.
    init(limit: Int) { (self.limit, limitOfNetwork) = (limit, limit) }

    /// A new connection.
    func enter(_ peer: Peer) -> Answer { enter(peer, isConnection: true) }

    /// A proxy's connection, already counted in total, turns out to be this client's.
    func enter(clientOfProxy client: Peer) -> Answer { enter(client, isConnection: false) }

    private func enter(_ peer: Peer, isConnection: Bool) -> Answer {
        let network = peer.isLimited ? peer.address.network : nil
        return counts.withLock { counts in
            let known = network.map { counts.ofNetwork[$0, default: 0] } ?? 0
            let ceiling = limit + TransportOptions.refusalLimit
            // An address past its limit may use only its share of the connections that are told why.
            guard !isConnection || counts.total < ceiling else { return Answer(refusal: .tooMany) }
            guard known < limitOfNetwork + TransportOptions.refusalLimit / 4 else {
                return Answer(refusal: .tooManyFromAddress)
            }
            if isConnection { counts.total += 1 }
            if let network { counts.ofNetwork[network] = known + 1 }
            let place = Place(self, isConnection: isConnection, network: network)
            let isOneTooMany = isConnection && counts.total > limit
            let refusal: Refusal? = known >= limitOfNetwork ? .tooManyFromAddress : isOneTooMany ? .tooMany : nil
            return Answer(place: place, refusal: refusal)
        }
    }

    private func leave(_ network: IPAddress?, isConnection: Bool) {
        counts.withLock { counts in
            if isConnection { counts.total -= 1 }
            guard let network else { return }
            let known = counts.ofNetwork[network, default: 1] - 1
            counts.ofNetwork[network] = known == 0 ? nil : known
        }
    }
}
