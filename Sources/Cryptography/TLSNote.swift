// Asks the system about files by C calls; what leaves this file is a value.
import Glibc

/// A problem with a server's certificate or key that keeps no client out.
public struct TLSNote: Equatable, Sendable {
    /// The same for all notes of its kind.
    public let message: String
    /// Names the file and what is wrong with it.
    public let reason: String

    init(_ error: OCSPStapleError) {
        (message, reason) = ("an OCSP response is not stapled", error.sentence)
    }

    /// Nil while the certificate in the file at `path` is valid. `now` is in seconds since 1970.
    init?(of path: String, _ validity: ClosedRange<Int>, at now: Int) {
        if now > validity.upperBound {
            message = "a certificate has expired: clients refuse it"
            reason = "\(path) was valid until \(Self.date(validity.upperBound))"
        } else if now < validity.lowerBound {
            message = "a certificate is not valid yet: clients refuse it"
            reason = "\(path) is valid from \(Self.date(validity.lowerBound))"
        } else {
            return nil
        }
    }

    /// Nil if only the owner and the group of the file at `path` may read it. A key may be shared with a group on
    /// purpose.
    public init?(ofKey path: String) {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & 0o007 != 0 else {
            return nil
        }
        message = "any user of this machine may read a key: chmod o= would keep them out"
        reason = "\(path) has mode 0\(String(status.st_mode & 0o7777, radix: 8))"
    }

    /// In the format of RFC 3339.
    private static func date(_ seconds: Int) -> String {
        var (time, parts) = (time_t(seconds), tm())
        guard gmtime_r(&time, &parts) != nil else { return "\(seconds)" }
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
