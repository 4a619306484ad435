import Foundation
import Transport
import WebProtocols

/// The service of a loop without listeners.
protocol ClientService: LoopService {}

extension ClientService {
    func requestArrived(_ request: HTTPRequest, on connection: Connection) {}
    func webSocketOpened(_ connection: Connection, for purpose: any Sendable) {}
    func messageArrived(_ message: RawSpan, kind: MessageKind, on connection: Connection) {}
    func connectionClosed(_ connection: Connection) {}
}

/// Milliseconds of a clock that no one can set, for loops that only connect and show no one the time.
final class ClientClock: ServiceClock {
    func now() -> Int { Int(DispatchTime.now().uptimeNanoseconds / 1_000_000) }
}
