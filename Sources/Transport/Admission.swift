import Synchronization

/// Counts connections, in all and of each address, on all loops together.
final class Admission: Sendable {
    /// What one connection holds; given back once, when its socket is closed.
    struct Place: Sendable {
        let admission: Admission
        let network: UInt64
    }

    enum Answer {
        case admitted(Place)
        /// Past a limit, but may still be told so.
        case refused(Place, Refusal)
        case closed
    }

    enum Refusal: Equatable, Sendable { case tooMany, tooManyFromAddress }

    private struct Counts {
        var total = 0
        var ofNetwork: [UInt64: Int] = [:]
    }

    private let limit: Int
    private let limitOfNetwork: Int
    private let counts = Mutex(Counts())

    init(_ options: TransportOptions) {
        limit = options.connectionLimit
        limitOfNetwork = options.connectionsPerAddress
    }

    func enter(_ address: SocketAddress) -> Answer {
        let network = address.network
        // Behind a proxy on this machine everybody has its address; and nobody else can have it.
        let limitOfNetwork = address.isLoopback ? Int.max / 2 : limitOfNetwork
        return counts.withLock { counts in
            let known = counts.ofNetwork[network, default: 0]
            let ceiling = limit + TransportOptions.refusalLimit
            // An address past its limit may use up only its share of those who are told why.
            guard counts.total < ceiling, known < limitOfNetwork + TransportOptions.refusalLimit / 4 else {
                return .closed
            }
            counts.total += 1
            counts.ofNetwork[network] = known + 1
            let place = Place(admission: self, network: network)
            if known >= limitOfNetwork { return .refused(place, .tooManyFromAddress) }
            if counts.total > limit { return .refused(place, .tooMany) }
            return .admitted(place)
        }
    }

    func leave(_ place: Place) {
        counts.withLock { counts in
            counts.total -= 1
            let known = counts.ofNetwork[place.network, default: 1] - 1
            counts.ofNetwork[place.network] = known == 0 ? nil : known
        }
    }
}
