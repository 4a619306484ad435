import Glibc

/// How many descriptors the system lets this process have.
public enum DescriptorLimit {
    /// Descriptors besides connections: listeners, epoll, the log's files, client files while they are read, and some
    /// spare ones, so that a failed log can be reopened while connections take all they can get.
    static let reserved = 128

    /// Raises the limit to fit one connection and two descriptors for each of `loops`. Call it before anything is
    /// opened, which would fail with an error of its own.
    public static func check(loops: Int) throws(TransportError) {
        let needed = reserved + 2 * loops + 1
        _ = fit(connections: 1, loops: loops)
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        if limit.rlim_cur < rlim_t(needed) {
            throw .tooFewDescriptors(limit: Int(clamping: limit.rlim_cur), needed: needed)
        }
    }

    /// Raises the limit to fit `connections` and two descriptors for each of `loops`, as far as the system allows.
    /// Returns how many connections fit.
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
