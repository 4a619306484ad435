import CLinux
import Glibc

/// Connects to the addresses of an endpoint, one after the other, until one attempt succeeds.
struct ConnectAttempts {
    private var rest: ArraySlice<SocketAddress> = []
    private var current: SocketAddress?
    private var failure = ClientError.ended

    init() {}

    init(to addresses: [SocketAddress], of host: String) {
        rest = addresses[...]
        failure = .unreachable(host, reason: "it has no address")
    }

    /// Starts the next attempt and returns its socket's descriptor; throws if there is none.
    mutating func startNext(_ limits: ClientLimits) throws(ClientError) -> Int32 {
        while let address = rest.popFirst() {
            current = address
            let number = flipside_socket(address.family)
            guard number >= 0 else { throw .exhausted(reason: ClientError.system(errno)) }
            SocketCalls.sendWithoutDelay(number)
            if let bytes = limits.receiveBufferBytes { SocketCalls.limitReceiveBuffer(of: number, to: bytes) }
            let code = SocketCalls.connect(number, to: address)
            guard code != 0 else { return number }
            close(number)
            // This machine has no free port, so another address would not help.
            guard code != EADDRNOTAVAIL else { throw .exhausted(reason: ClientError.system(code)) }
            recordFailure(code)
        }
        throw failure
    }

    /// The current attempt failed with the system's `code`.
    mutating func recordFailure(_ code: Int32) {
        guard let current else { return }
        let place = "\(current.host) port \(current.port)"
        failure = code == ECONNREFUSED ? .refused(place) : .unreachable(place, reason: ClientError.system(code))
    }
}
