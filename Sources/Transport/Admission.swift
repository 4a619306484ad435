import Synchronization
import WebProtocols

/// Counts connections, in all and of each address, on all loops together.
final class Admission: Sendable {
    /// What counts for a connection until nobody has it any more.
    struct Place: ~Copyable, Sendable {
        private let admission: Admission
        /// Nil: of no address that is limited.
        fileprivate let network: IPAddress?
        fileprivate let isConnection: Bool

        fileprivate init(_ admission: Admission, isConnection: Bool, network: IPAddress?) {
            self.admission = admission
            self.isConnection = isConnection
            self.network = network
        }

        deinit { admission.leave(network, isConnection: isConnection) }
    }

    /// The place of a client of a proxy: its connection has one already.
    final class ClientPlace: Sendable {
        private let place: Place

        init(_ place: consuming Place) { self.place = place }
    }

    enum Answer: ~Copyable {
        case admitted(Place)
        /// Past a limit, but may still be told so.
        case refused(Place, Refusal)
        case closed(Refusal)
    }

    enum Refusal: Equatable, Sendable {
        case tooMany, tooManyFromAddress

        /// What it is counted as.
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

    /// Of so many connections, whosever they are.
    init(limit: Int) { (self.limit, limitOfNetwork) = (limit, limit) }

    /// A new connection.
    func enter(_ peer: Peer) -> Answer { enter(peer, isConnection: true) }

    /// A connection that a proxy made, and has been counted in all, turns out to be this client's.
    func enter(clientOfProxy client: Peer) -> Answer { enter(client, isConnection: false) }

    private func enter(_ peer: Peer, isConnection: Bool) -> Answer {
        let network = peer.isLimited ? peer.address.network : nil
        return counts.withLock { counts in
            let known = network.map { counts.ofNetwork[$0, default: 0] } ?? 0
            let ceiling = limit + TransportOptions.refusalLimit
            // An address past its limit may use up only its share of those who are told why.
            guard !isConnection || counts.total < ceiling else { return .closed(.tooMany) }
            guard known < limitOfNetwork + TransportOptions.refusalLimit / 4 else {
                return .closed(.tooManyFromAddress)
            }
            if isConnection { counts.total += 1 }
            if let network { counts.ofNetwork[network] = known + 1 }
            let place = Place(self, isConnection: isConnection, network: network)
            if known >= limitOfNetwork { return .refused(place, .tooManyFromAddress) }
            if isConnection, counts.total > limit { return .refused(place, .tooMany) }
            return .admitted(place)
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
