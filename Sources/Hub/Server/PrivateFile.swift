// Makes and moves files by C calls; what leaves this file is a number that its caller closes.
import Foundation

/// Files that the hub's user alone may read and write, whatever the process lets others do by default.
enum PrivateFile {
    /// A new file in the place of whatever is at `path`, to be written and closed; below 0, with `errno`, if there is
    /// none.
    static func create(_ path: String) -> Int32 {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // The process may take rights even from its owner (umask).
        if descriptor >= 0 { fchmod(descriptor, 0o600) }
        return descriptor
    }

    /// Puts `text` in the place of what is at `path`; who reads it finds one or the other. On a full disk it stays as
    /// it was.
    static func replace(_ path: String, with text: String) {
        // Made beside its place and moved there when it is whole.
        let draft = path + ".new"
        let descriptor = create(draft)
        guard descriptor >= 0 else { return }
        let bytes = Array(text.utf8)
        let isWhole = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if !isWhole || rename(draft, path) != 0 { unlink(draft) }
    }
}
