import Foundation
import Transport
import WebProtocols

/// A service of a loop that listens to nobody.
protocol ClientService: LoopService {}

extension ClientService {
    func received(_ request: HTTPRequest, on connection: Connection) {}
    func opened(_ connection: Connection, for purpose: any Sendable) {}
    func received(_ message: RawSpan, kind: MessageKind, on connection: Connection) {}
    func closed(_ connection: Connection) {}
}

/// Milliseconds of a clock that nobody sets: for loops that only connect, and tell nobody the time.
final class ClientClock: ServiceClock {
    func now() -> Int { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
}
