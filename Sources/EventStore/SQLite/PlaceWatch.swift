// Asks the system by C calls; no pointer leaves this file.
import Glibc
import Threads

/// Notices when something is created, moved or deleted in the folders that lead to some files (inotify(7)). It does not
/// say what, so the files are then looked at by name. That costs more than a small append, so it is not done each time.
/// Mounts, and what other machines do to a file system, go unnoticed.
final class PlaceWatch {
    private let paths: [String]
    /// Below 0 if the system gives no watch.
    private let descriptor = Descriptor(owning: inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)))
    private var events = [UInt8](repeating: 0, count: 4_096)
    /// Whether all folders are watched. The system may refuse one that may not be read, or one too many.
    private var isComplete = false

    private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)

    init(_ paths: [String]) {
        self.paths = paths
        watchFolders()
    }

    /// Whether there may have been changes since the last call. Call it before the files are looked at.
    func takeChanges() -> Bool {
        guard isComplete else { return true }
        var hasChanges = false
        while read(descriptor.number, &events, events.count) > 0 { hasChanges = true }
        // The paths may lead through other folders now.
        if hasChanges { watchFolders() }
        return hasChanges
    }

    private func watchFolders() {
        let folders = paths.reduce(into: Set()) { $0.formUnion(PlaceWatch.folders(above: $1)) }
        isComplete =
            descriptor.number >= 0
            && folders.allSatisfy { inotify_add_watch(descriptor.number, $0, PlaceWatch.changes) >= 0 }
    }

    /// All folders in which a name of the path stands, or one of a link that it leads through.
    private static func folders(above path: String) -> Set<String> {
        var folders: Set<String> = []
        var ways = [path.hasPrefix("/") ? path : workingFolder + "/" + path]
        var index = 0
        while index < ways.count {
            var place = ""
            for name in ways[index].split(separator: "/") {
                let folder = place.isEmpty ? "/" : place
                folders.insert(folder)
                place += "/" + name
                guard let target = linkTarget(place) else { continue }
                let way = target.hasPrefix("/") ? target : folder + "/" + target
                if !ways.contains(way) { ways.append(way) }
            }
            index += 1
        }
        return folders
    }

    private static var workingFolder: String {
        guard let name = getcwd(nil, 0) else { return "" }
        defer { free(name) }
        return String(cString: name)
    }

    /// Nil if it is not a link.
    private static func linkTarget(_ path: String) -> String? {
        var target = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &target, target.count)
        return count < 0 ? nil : String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
