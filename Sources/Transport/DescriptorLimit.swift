import Glibc

/// How many descriptors the system lets this process have.
public enum DescriptorLimit {
    /// Those that are no connections: listeners, epoll, the log's files, the client's while it is read, and some to
    /// spare, so that a log that has failed can be opened again while connections take what they can get.
    static let reserved = 128

    /// Raises the limit so far that one connection fits in, besides two descriptors of each of `loops`. To be called
    /// before anything is opened, which would fail by its own name.
    public static func check(loops: Int) throws(TransportError) {
        let needed = reserved + 2 * loops + 1
        _ = fit(connections: 1, loops: loops)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        if limit.rlim_cur < rlim_t(needed) {
            throw .tooFewDescriptors(limit: Int(clamping: limit.rlim_cur), needed: needed)
        }
    }

    /// Raises the limit so far that `connections` fit in, besides two of each of `loops`, as far as the system allows
    /// it; how many do fit in.
    public static func fit(connections: Int, loops: Int = 0) -> Int {
        let reserved = Self.reserved + 2 * loops
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return connections }
        let wanted = rlim_t(clamping: connections) + rlim_t(reserved)
        if limit.rlim_cur < wanted {
            let before = limit.rlim_cur
            limit.rlim_cur = min(wanted, limit.rlim_max)
            if setrlimit(resource, &limit) != 0 { limit.rlim_cur = before }
        }
        return min(connections, max(1, Int(clamping: limit.rlim_cur) - reserved))
    }
}
