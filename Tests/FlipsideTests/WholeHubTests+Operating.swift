import Foundation
import Testing

/// What whoever runs the hub relies on: its settings, its certificate, its disk.
extension WholeHubTests {
    @Test("environment variables do what options do, options count more, and bad values are named")
    func environment() throws {
        let folder = try TemporaryFolder()
        let files = try Script.certificate(in: folder.path)
        try Script.run(.python, "Clients/settings.py", [Script.binary, Script.root + "/web"] + files)
    }

    @Test("the page's files are served whole, compressed for who takes it, and nothing else is")
    func files() throws { try Script.run(.python, "Clients/files.py", [Script.binary, Script.root + "/web"]) }

    @Test("SIGHUP brings a new certificate, and a bad one changes nothing")
    func reload() throws {
        let (one, other) = (try TemporaryFolder(), try TemporaryFolder())
        let files = try Script.certificate(in: one.path) + Script.certificate(in: other.path)
        try Script.run(.python, "Clients/reload.py", [Script.binary, Script.root + "/web"] + files)
    }

    @Test("the operator takes a name back from a running hub, over TLS too, and nobody else does")
    func forgetting() throws {
        let folder = try TemporaryFolder()
        let files = try Script.certificate(in: folder.path)
        try Script.run(.python, "Clients/forget.py", [Script.binary, Script.root + "/web"] + files)
    }
}
