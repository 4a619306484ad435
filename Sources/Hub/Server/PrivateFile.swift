// Makes and moves files by C calls. Only a descriptor leaves this file, which the caller closes.
import Foundation

/// Files that only the hub's user can read and write, with any umask of the process.
enum PrivateFile {
    /// Creates a file in place of any at `path`. The caller writes and closes it. Below 0, with `errno`, if that fails.
    static func create(_ path: String) -> Int32 {
        unlink(path)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        // The umask may even take rights from the owner.
        if descriptor >= 0 { fchmod(descriptor, 0o600) }
        return descriptor
    }

    /// Replaces the content of `path`. Readers see either the old or the new one. On a full disk the old one stays.
    static func replace(_ path: String, with text: String) {
        // Written beside its place, and moved there when it is whole.
        let draft = path + ".new"
        let descriptor = create(draft)
        guard descriptor >= 0 else { return }
        let bytes = Array(text.utf8)
        let isWhole = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if !isWhole || rename(draft, path) != 0 { unlink(draft) }
    }
}
