// Keeps an OCSP response where OpenSSL finds it by pointer; what leaves this file is a Swift value.
import COpenSSL
import Glibc

/// An authority's OCSP response for a certificate, read from `CERT.ocsp` beside it, in DER. A client that is shown it
/// need not ask the authority, which would then know which sites the client visits.
final class OCSPStaple: Sendable {
    /// Responses are one to three KiB long.
    static let limitBytes = 64 << 10

    // Nothing changes it after `init`.
    private nonisolated(unsafe) let staple: UnsafeMutablePointer<flipside_staple>

    /// Nil if there is no such file. Throws if the response cannot be shown. `now` is in seconds since 1970.
    init?(of certificate: String, in context: OpaquePointer, at now: Int) throws(OCSPStapleError) {
        let path = certificate + ".ocsp"
        guard let bytes = try Self.read(path) else { return nil }
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        staple = .allocate(capacity: 1)
        staple.initialize(to: flipside_staple(bytes: copy, size: bytes.count, end: 0))
        let reason: OCSPStapleError.Reason? =
            switch flipside_ocsp_judge(context, staple) {
            case flipside_ocsp_good: staple.pointee.end > now ? nil : .stale
            case flipside_ocsp_of_another: .ofAnotherCertificate
            case flipside_ocsp_not_good: .notGood
            case flipside_ocsp_endless: .endless
            default: .malformed
            }
        if let reason { throw OCSPStapleError(path: path, reason: reason) }
        flipside_tls_staple(context, staple)
    }

    deinit {
        staple.pointee.bytes.deallocate()
        staple.deallocate()
    }

    private static func read(_ path: String) throws(OCSPStapleError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw OCSPStapleError(path: path, reason: .unreadable(errno)) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: limitBytes + 1)
        var count = 0
        while count < bytes.count {
            let part = bytes[count...].withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard part >= 0 else { throw OCSPStapleError(path: path, reason: .unreadable(errno)) }
            if part == 0 { return Array(bytes[..<count]) }
            count += part
        }
        throw OCSPStapleError(path: path, reason: .malformed)
    }
}

/// Why an OCSP response is not stapled.
struct OCSPStapleError: Error, Equatable {
    enum Reason: Equatable { case unreadable(Int32), malformed, ofAnotherCertificate, notGood, endless, stale }

    let path: String
    let reason: Reason

    var sentence: String {
        switch reason {
        case .unreadable(let code): "\(path) cannot be read: \(String(cString: strerror(code)))"
        case .malformed: "\(path) is not an OCSP response in DER"
        case .ofAnotherCertificate: "the OCSP response in \(path) is not about its certificate"
        case .notGood: "the OCSP response in \(path) does not say that its certificate is good"
        case .endless: "the OCSP response in \(path) does not say when it expires"
        case .stale: "the OCSP response in \(path) has expired"
        }
    }
}
