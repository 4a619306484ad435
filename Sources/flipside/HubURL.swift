import ArgumentParser
import Cryptography
import Foundation
import Transport

/// A hub's address as people write it: `https://play.example.org`, `http://127.0.0.1:8080`.
struct HubURL: ExpressibleByArgument, Equatable {
    let host: String
    let port: Int
    let isTLS: Bool
    /// As written, without a slash at its end.
    let text: String

    init?(argument: String) {
        guard let parts = URLComponents(string: argument), let host = parts.host, !host.isEmpty,
            let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
            ["", "/", "/metrics"].contains(parts.path), parts.query == nil, parts.fragment == nil, parts.user == nil
        else { return nil }
        isTLS = scheme == "https"
        port = parts.port ?? (isTLS ? 443 : 80)
        guard (1...65_535).contains(port) else { return nil }
        // IPv6 addresses are in brackets in a URL.
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        text = "\(scheme)://\(host)" + (parts.port.map { ":\($0)" } ?? "")
    }

    /// - Parameters:
    ///   - authority: PEM certificates to trust instead of the system's.
    ///   - own: the certificate to present if the hub asks for one.
    func endpoint(trusting authority: String?, showing own: TLSFiles? = nil) throws -> ClientEndpoint {
        guard isTLS else { return ClientEndpoint(host: host, port: port) }
        let trust = authority.map { TLSTrust.authority(path: $0) } ?? .system
        do throws(TLSError) {
            return ClientEndpoint(host: host, port: port, tls: try TLSContext(trusting: trust, showing: own))
        } catch { throw CommandLineError(error.sentence) }
    }
}
