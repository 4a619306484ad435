import Cryptography
import Foundation

extension TLSFiles {
    /// A new self-signed certificate for localhost, 127.0.0.1 and ::1, and its key; nil without openssl, and then each
    /// test says so.
    public static func forLocalhost() -> TLSFiles? {
        let folder = NSTemporaryDirectory() + "flipside-tls-" + UUID().uuidString
        let process = Process()
        process.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("scripts/dev-cert")
        process.arguments = [folder]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return nil }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { return nil }
        return TLSFiles(certificate: folder + "/cert.pem", key: folder + "/key.pem")
    }
}
