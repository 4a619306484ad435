// Asks the system by C calls; no pointer leaves this file.
import Glibc

/// Notices when something is created, moved or deleted in the folders that lead to some files (inotify(7)). It does not
/// say what, so the files are then looked at by name. That costs more than a small append, so it is not done each time.
final class PlaceWatch {
    /// Negative if the system gives no watch.
    private let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    private var events = [UInt8](repeating: 0, count: 4_096)

    private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)

    /// A folder that cannot be watched is left out, as is one that only a link within a link leads through.
    init(_ paths: [String]) {
        guard descriptor >= 0 else { return }
        for path in paths {
            for folder in PlaceWatch.folders(above: path) { inotify_add_watch(descriptor, folder, PlaceWatch.changes) }
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Whether there were changes since the last call; always true without a watch.
    func takeChanges() -> Bool {
        guard descriptor >= 0 else { return true }
        var hasChanges = false
        while read(descriptor, &events, events.count) > 0 { hasChanges = true }
        return hasChanges
    }

    /// Those by which the path names the file, and those that really hold it.
    private static func folders(above path: String) -> Set<String> {
        var folders: Set<String> = []
        for start in [path.hasPrefix("/") ? path : (resolved(".") ?? "") + "/" + path, resolved(path) ?? path] {
            var rest = start[...]
            while let slash = rest.lastIndex(of: "/") {
                rest = rest[..<slash]
                folders.insert(rest.isEmpty ? "/" : String(rest))
            }
        }
        return folders
    }

    private static func resolved(_ path: String) -> String? {
        guard let name = realpath(path, nil) else { return nil }
        defer { free(name) }
        return String(cString: name)
    }
}
