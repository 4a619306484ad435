// Reads the system's files by C calls; what leaves this file is a number.
import Glibc

/// How many threads of this process can run at the same time.
public enum ProcessorCount {
    /// The processors that the process may use (`taskset`, a unit's `CPUAffinity`), or fewer if its control group
    /// limits their time (a container's `--cpus`, a unit's `CPUQuota`); at least 1.
    public static var usable: Int { usable(online: sysconf(Int32(_SC_NPROCESSORS_ONLN)), reading: text) }

    /// - Parameters:
    ///   - online: all processors of the machine.
    ///   - read: the content of a file; nil if it is missing.
    static func usable(online: Int, reading read: (String) -> String?) -> Int {
        let allowed = read("/proc/self/status").flatMap(allowed) ?? online
        // One and a half processors' time keeps two threads busy most of the time.
        let shares = shares(reading: read).map { Int($0.rounded(.up)) }
        return max(1, min(allowed, shares.min() ?? allowed))
    }

    /// `Cpus_allowed_list: 0-3,8` (proc_pid_status(5)); nil if there is no such line.
    private static func allowed(in status: String) -> Int? {
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed_list:") }) else {
            return nil
        }
        var count = 0
        for part in line.dropFirst("Cpus_allowed_list:".count).split(separator: ",") {
            let ends = part.split(separator: "-").compactMap { Int($0.filter(\.isNumber)) }
            guard let first = ends.first, let last = ends.last, first <= last else { return nil }
            count += last - first + 1
        }
        return count > 0 ? count : nil
    }

    /// The limit, in processors, of each control group of the process and of those above it.
    private static func shares(reading read: (String) -> String?) -> [Double] {
        var shares: [Double] = []
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            // Hierarchy, controllers, path (cgroups(7)). Version 2 has one hierarchy, which names no controllers.
            let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count == 3 else { continue }
            for group in groups(from: fields[2]) {
                if fields[1].isEmpty {
                    let words = read("/sys/fs/cgroup\(group)/cpu.max")?.split(whereSeparator: \.isWhitespace) ?? []
                    if words.count == 2 { shares += share(Double(words[0]), of: Double(words[1])) }
                } else if fields[1].split(separator: ",").contains("cpu") {
                    let folder = "/sys/fs/cgroup/cpu\(group)/cpu.cfs_"
                    shares += share(number(read(folder + "quota_us")), of: number(read(folder + "period_us")))
                }
            }
        }
        return shares
    }

    /// `/a/b`, `/a` and the root, which is an empty path. A container cannot see the groups above its own.
    private static func groups(from path: Substring) -> [String] {
        let parts = path.split(separator: "/")
        return (0...parts.count).map { parts.prefix($0).map { "/" + $0 }.joined() }
    }

    /// Empty if there is no limit (`max` or -1).
    private static func share(_ quota: Double?, of period: Double?) -> [Double] {
        guard let quota, let period, quota > 0, period > 0 else { return [] }
        return [quota / period]
    }

    private static func number(_ text: String?) -> Double? {
        text.flatMap { Double($0.filter { !$0.isWhitespace }) }
    }

    /// Nil if there is no such file. All of these files are short.
    private static func text(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = read(descriptor, &bytes, bytes.count)
        return count < 0 ? nil : String(decoding: bytes.prefix(count), as: UTF8.self)
    }
}
