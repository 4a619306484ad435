// Wraps SQLite's file system layer, with C pointers and functions.
import CSQLite
import Glibc
import Synchronization

/// A file system layer for SQLite that counts syncs and fails as ordered. Its tests run one after the other.
enum FaultySystem {
    struct Orders: Sendable {
        /// Result codes to return instead of writing or syncing.
        var write: Int32?
        var sync: Int32?
        var isReadOnly = false
        var syncs = 0
        /// Called once, in the middle of the next sync.
        var duringSync: (@Sendable () -> Void)?
    }

    static let orders = Mutex(Orders())

    /// The name to open files with. Clears all orders.
    static func begin() -> String {
        orders.withLock { $0 = Orders() }
        return name
    }

    private static let name: String = {
        // It lives as long as the process, as SQLite requires.
        let system = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        system.initialize(to: usual.pointee)
        system.pointee.zName = UnsafePointer(strdup("faulty"))
        system.pointee.pNext = nil
        system.pointee.xOpen = { system, path, file, flags, given in
            var flags = flags
            if FaultySystem.orders.withLock({ $0.isReadOnly }) {
                flags = flags & ~(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY
            }
            let code = FaultySystem.usual.pointee.xOpen(system, path, file, flags, given)
            guard let file, let methods = file.pointee.pMethods else { return code }
            file.pointee.pMethods = FaultySystem.faulty(methods)
            return code
        }
        sqlite3_vfs_register(system, 0)
        return "faulty"
    }()

    // SQLite never changes its usual layer once it is set up.
    nonisolated(unsafe) private static let usual: UnsafeMutablePointer<sqlite3_vfs> = sqlite3_vfs_find("unix")

    /// A file's functions, with ours in front of writing and syncing. A few bytes for each file are never freed.
    private static func faulty(_ methods: UnsafePointer<sqlite3_io_methods>) -> UnsafePointer<sqlite3_io_methods> {
        usualWrite.withLock { $0 = methods.pointee.xWrite }
        usualSync.withLock { $0 = methods.pointee.xSync }
        let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        copy.initialize(to: methods.pointee)
        copy.pointee.xWrite = { file, bytes, count, offset in
            if let code = FaultySystem.orders.withLock({ $0.write }) { return code }
            return FaultySystem.usualWrite.withLock { $0 }?(file, bytes, count, offset) ?? SQLITE_IOERR
        }
        copy.pointee.xSync = { file, flags in
            let (code, meanwhile) = FaultySystem.orders.withLock { orders in
                orders.syncs += 1
                return (orders.sync, orders.duringSync.take())
            }
            meanwhile?()
            if let code { return code }
            return FaultySystem.usualSync.withLock { $0 }?(file, flags) ?? SQLITE_IOERR
        }
        return UnsafePointer(copy)
    }

    // The same functions for all files of the usual layer.
    private static let usualWrite = Mutex<
        (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, UnsafeRawPointer?, Int32, Int64) -> Int32)?
    >(nil)
    private static let usualSync = Mutex<
        (@convention(c) (UnsafeMutablePointer<sqlite3_file>?, Int32) -> Int32)?
    >(nil)
}
