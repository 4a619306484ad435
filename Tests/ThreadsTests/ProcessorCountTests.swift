import Testing

@testable import Threads

@Suite("Usable processors") struct ProcessorCountTests {
    private static let status = "Name:\tflipside\nCpus_allowed:\tff\nCpus_allowed_list:\t0-3,6\nMems_allowed:\t1\n"

    @Test(
        "affinity and the control group's time both limit them",
        arguments: [
            ("neither is known", [:], 8),
            ("affinity", ["/proc/self/status": status], 5),
            (
                "version 2, in a group above",
                ["/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/cpu.max": "150000 100000\n"], 2
            ),
            (
                "version 2, no limit",
                ["/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/cpu.max": "max 100000\n"], 8
            ),
            ("a container's root", ["/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/cpu.max": "50000 100000\n"], 1),
            (
                "version 1",
                [
                    "/proc/self/cgroup": "3:memory:/m\n2:cpu,cpuacct:/c\n",
                    "/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us": "300000\n",
                    "/sys/fs/cgroup/cpu/c/cpu.cfs_period_us": "100000\n",
                ], 3
            ),
            (
                "version 1, no limit",
                [
                    "/proc/self/cgroup": "2:cpu:/c\n", "/sys/fs/cgroup/cpu/c/cpu.cfs_quota_us": "-1\n",
                    "/sys/fs/cgroup/cpu/c/cpu.cfs_period_us": "100000\n",
                ], 8
            ),
            (
                "the smaller counts",
                [
                    "/proc/self/status": status, "/proc/self/cgroup": "0::/\n",
                    "/sys/fs/cgroup/cpu.max": "700000 100000\n",
                ], 5
            ),
            ("nonsense", ["/proc/self/status": "Cpus_allowed_list:\t?\n", "/proc/self/cgroup": "0\n"], 8),
        ] as [(String, [String: String], Int)])
    func usable(what: String, files: [String: String], count: Int) {
        #expect(ProcessorCount.usable(online: 8) { files[$0] } == count)
    }

    @Test("this machine has at least one") func here() { #expect(ProcessorCount.usable >= 1) }
}
