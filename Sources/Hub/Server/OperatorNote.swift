// Opens, locks and removes a file by C calls. Only values leave this file, and an owner that closes what it opened.
import Foundation
import Rooms
import Threads

/// How operators reach a running hub: a file in its data folder that only its user may read. The hub listens for
/// operators on 127.0.0.1 in plain HTTP, on a port of its own. No matter which addresses and certificates it has for
/// others, the token never leaves this machine.
public struct OperatorNote: Sendable, Equatable {
    /// On 127.0.0.1.
    public let port: Int
    /// 32 random bytes in base64url, new with each start.
    public let token: String

    /// A few lines. A hub writes no longer ones.
    private static let sizeLimitBytes = 1_024

    /// The note of the hub that runs on `folder`; nil if none does. A killed hub leaves its note, but the system has
    /// released its lock, so no token is sent to the port's next owner.
    public static func ofRunningHub(in folder: String) throws(OperatorNoteError) -> OperatorNote? {
        let path = path(in: folder)
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw OperatorNoteError(path: path, reason: String(cString: strerror(errno)))
        }
        defer { close(descriptor) }
        if flock(descriptor, LOCK_SH | LOCK_NB) == 0 { return nil }
        var bytes = [UInt8](repeating: 0, count: sizeLimitBytes)
        let count = read(descriptor, &bytes, bytes.count)
        guard count > 0, let note = OperatorNote(text: String(decoding: bytes[..<count], as: UTF8.self)) else {
            throw OperatorNoteError(path: path, reason: "this is not a hub's note")
        }
        return note
    }

    init(port: Int, token: String) { (self.port, self.token) = (port, token) }

    /// In the file's form: the address in the first line, the token in the second.
    var text: String { "127.0.0.1:\(port)\n\(token)\n" }

    private init?(text: String) {
        let lines = text.split(separator: "\n").map(String.init)
        guard lines.count == 2, lines[0].hasPrefix("127.0.0.1:"), let port = Int(lines[0].dropFirst(10)),
            (1...65_535).contains(port), PlayerToken(lines[1]) != nil
        else { return nil }
        self.init(port: port, token: lines[1])
    }

    fileprivate static func path(in folder: String) -> String { folder + "/operator" }
}

public struct OperatorNoteError: Error, Equatable, CustomStringConvertible {
    public let path: String
    public let reason: String
    public var description: String { "\(path): \(reason)." }
}

/// The note while its hub runs, locked until this object goes, and removed by `remove`.
final class PostedNote: Sendable {
    private let path: String
    private let descriptor: Descriptor

    init(_ note: OperatorNote, in folder: String) throws(OperatorNoteError) {
        path = OperatorNote.path(in: folder)
        // Made beside its place and moved there when it is whole and locked, so that no one reads half of it.
        let draft = path + ".new"
        descriptor = Descriptor(owning: PrivateFile.create(draft))
        let number = descriptor.number
        guard number >= 0 else { throw Self.error(draft) }
        let text = Array(note.text.utf8)
        guard flock(number, LOCK_EX | LOCK_NB) == 0, write(number, text, text.count) == text.count,
            rename(draft, path) == 0
        else { throw Self.error(draft) }
    }

    /// Keeps another hub's note in its place, which may be there after the folder was moved.
    func remove() {
        var (own, there) = (stat(), stat())
        guard fstat(descriptor.number, &own) == 0, stat(path, &there) == 0, own.st_dev == there.st_dev,
            own.st_ino == there.st_ino
        else { return }
        unlink(path)
    }

    private static func error(_ path: String) -> OperatorNoteError {
        OperatorNoteError(path: path, reason: String(cString: strerror(errno)))
    }
}
