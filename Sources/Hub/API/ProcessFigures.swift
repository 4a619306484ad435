// Asks the system about this process. Only values leave this file.
import Foundation
import Rooms
import Threads

/// What the system reports of this process, named as in all Prometheus clients. What it does not report is 0.
struct ProcessFigures: Equatable {
    /// Of all threads, including ended ones.
    var processorTime: Nanoseconds = 0
    /// Since 1970.
    var startTime: Nanoseconds = 0
    var residentBytes = 0
    var virtualBytes = 0
    var openDescriptors = 0
    var descriptorLimit = 0

    init() {
        let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
        func span(_ count: Int) -> Nanoseconds { count * (1_000_000_000 / ticks) }
        // The name, in brackets, may contain blanks (proc_pid_stat(5)), so fields are counted from the third on.
        let fields = Self.text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        func field(_ number: Int) -> Int { number - 3 < fields.count ? Int(fields[number - 3]) ?? 0 : 0 }
        processorTime = span(field(14) + field(15))
        virtualBytes = field(23)
        residentBytes = field(24) * sysconf(Int32(_SC_PAGESIZE))
        let boot = Self.text("/proc/stat").split(separator: "\n").first { $0.hasPrefix("btime ") }
        startTime = (boot.flatMap { Int($0.dropFirst(6)) } ?? 0) * 1_000_000_000 + span(field(22))
        openDescriptors = Self.countDescriptors()
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            descriptorLimit = Int(clamping: limit.rlim_cur)
        }
    }

    var figures: [Figure] {
        [
            figure("process_cpu_seconds_total", .counter, "Processor time of all threads.", .span(processorTime)),
            figure("process_resident_memory_bytes", .gauge, "Resident bytes.", .number(residentBytes)),
            figure("process_virtual_memory_bytes", .gauge, "Mapped bytes.", .number(virtualBytes)),
            figure("process_open_fds", .gauge, "Open file descriptors.", .number(openDescriptors)),
            figure("process_max_fds", .gauge, "Limit of open file descriptors.", .number(descriptorLimit)),
            figure("process_start_time_seconds", .gauge, "When the process started, since 1970.", .span(startTime)),
        ]
    }

    private func figure(_ name: String, _ kind: Metric.Kind, _ help: String, _ reading: Figure.Reading) -> Figure {
        Figure(Metric(name: name, kind: kind, help: help, label: nil), reading)
    }

    /// Empty if there is no such file, since not every system has all of /proc.
    private static func text(_ path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

    private static func countDescriptors() -> Int {
        var status = stat()
        // Since Linux 6.2 the folder's size is the count. Older systems need the entries counted.
        if stat("/proc/self/fd", &status) == 0, status.st_size > 0 { return status.st_size }
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while readdir(folder) != nil { count += 1 }
        // Not counted: `.`, `..` and the descriptor that reads the folder.
        return max(0, count - 3)
    }
}
