// swift-tools-version: 6.2
import PackageDescription

// The targets from low to high. Each may import only those above it here (House.md, "Targets").
let package = Package(
    name: "flipside",
    products: [.executable(name: "flipside", targets: ["flipside"])],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // epoll, eventfd, accept4, which Swift's Glibc module leaves out.
        .target(name: "CLinux"),
        // The system's OpenSSL, with functions for its macros.
        .target(name: "COpenSSL", linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        // The system's SQLite.
        .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
        // The system's libpq, PostgreSQL's client.
        .systemLibrary(name: "CPostgreSQL", providers: [.apt(["libpq-dev"])]),
        // The system's zlib.
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        // JSON values, read and written.
        .target(name: "JSON"),
        // System threads, and counters that they share.
        .target(name: "Threads"),
        // Digests, random bytes, TLS sessions.
        .target(name: "Cryptography", dependencies: ["COpenSSL"]),
        // HTTP/1.1, WebSocket and proxy headers, without I/O.
        .target(name: "WebProtocols", dependencies: ["CZlib", "Cryptography"]),
        // The contract of a game, and the games: pure folds.
        .target(name: "Games", dependencies: ["Cryptography", "JSON"]),
        // What a log holds: events, commits, records, streams and their hash chains.
        .target(name: "Records", dependencies: ["Cryptography"]),
        // The event log, the rows derived from it, and their engines.
        .target(name: "EventStore", dependencies: ["CSQLite", "CPostgreSQL", "Cryptography", "Records", "Threads"]),
        // Event loops, listeners, connections, timers: bytes between sockets and WebProtocols.
        .target(name: "Transport", dependencies: ["CLinux", "Cryptography", "Threads", "WebProtocols"]),
        // A room's state, events, commands and decisions: pure.
        .target(name: "RoomRules", dependencies: ["Cryptography", "JSON", "Games", "Records"]),
        // Rooms that are awake on one loop: homes, members, messages, computers.
        .target(
            name: "Rooms",
            dependencies: [
                "Cryptography", "Threads", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore",
                "Transport", .product(name: "Logging", package: "swift-log"),
            ]),
        // Several nodes that share a log: leases, claims, links, relays.
        .target(
            name: "Cluster",
            dependencies: [
                "Cryptography", "Threads", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore",
                "Transport", "Rooms", .product(name: "Logging", package: "swift-log"),
            ]),
        // Rooms, players, HTTP API, messages.
        .target(
            name: "Hub",
            dependencies: [
                "Cryptography", "Threads", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore",
                "Transport", "Rooms", "Cluster", .product(name: "Logging", package: "swift-log"),
            ]),
        // The promises of the protocol, written again without the hub, to check the hub against.
        .target(name: "ReferenceModel", dependencies: ["Cryptography", "JSON", "Games"]),
        // A hub with its clients, log and faults, in one thread and from one seed.
        .target(
            name: "Simulation",
            dependencies: [
                "Cryptography", "WebProtocols", "JSON", "Games", "Records", "RoomRules", "EventStore", "Transport",
                "Rooms", "Cluster", "Hub", "ReferenceModel",
                .product(name: "Logging", package: "swift-log"),
            ]),
        // The executable: serve, replay, verify, simulate, bench, top.
        .executableTarget(
            name: "flipside",
            dependencies: [
                "Hub", "Cluster", "Rooms", "Simulation", "Records", "RoomRules", "EventStore", "Games", "JSON",
                "Cryptography",
                "WebProtocols",
                "Threads", "Transport",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ]),

        // A client over sockets that can misbehave, and a fast search in bytes.
        .target(name: "TestSupport", dependencies: ["Cryptography", "WebProtocols"], path: "Tests/TestSupport"),
        // What must hold for any bytes, for random tests and the fuzz target.
        .target(name: "ProtocolOracles", dependencies: ["JSON", "WebProtocols"], path: "Tests/ProtocolOracles"),
        .testTarget(name: "JSONTests", dependencies: ["JSON", "ProtocolOracles"]),
        .testTarget(name: "ThreadsTests", dependencies: ["Threads"]),
        .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"]),
        .testTarget(name: "WebProtocolsTests", dependencies: ["WebProtocols", "ProtocolOracles"]),
        .testTarget(
            name: "GamesTests", dependencies: ["Games", "JSON"],
            exclude: ["Contract/page-fold.mjs", "deal.py", "othello-endgames.txt"]),
        .testTarget(name: "RecordsTests", dependencies: ["Records"]),
        .testTarget(
            name: "EventStoreTests", dependencies: ["Records", "EventStore", "CSQLite", "ProtocolOracles", "Threads"]),
        .testTarget(name: "TransportTests", dependencies: ["Transport", "TestSupport", "Threads"]),
        .testTarget(
            name: "RoomRulesTests",
            dependencies: ["Cryptography", "JSON", "Games", "Records", "RoomRules", "ProtocolOracles"]),
        .testTarget(name: "ReferenceModelTests", dependencies: ["ReferenceModel", "Games", "JSON", "Cryptography"]),
        .testTarget(
            name: "ClusterTests", dependencies: ["Cluster", "Games", "Records", "RoomRules", "EventStore", "Rooms"]),
        .testTarget(
            name: "HubTests",
            dependencies: [
                "Hub", "Cluster", "JSON", "Records", "RoomRules", "Rooms", "ProtocolOracles", "ReferenceModel",
                "TestSupport",
            ]),
        .testTarget(
            name: "SimulationTests",
            dependencies: ["Simulation", "ReferenceModel", "Games", "JSON", "Records", "EventStore"],
            exclude: ["seeds.txt"]),
        .testTarget(
            name: "FlipsideTests",
            dependencies: [
                "flipside", "Games", "JSON", "RoomRules", "Rooms", "Cluster", "Hub", "Threads", "Transport",
                "WebProtocols", "ProtocolOracles",
            ],
            exclude: ["Browser", "Clients", "Trial", "Web", "conftest.py", "pytest.ini"]),
    ],
    swiftLanguageModes: [.v6]
)

// C modules, which Swift compiler settings do not apply to.
let cModules = ["CLinux", "COpenSSL", "CSQLite", "CPostgreSQL", "CZlib"]

// The project's own tests are strict. Other builds, with a later compiler, do not fail on a new warning.
if Context.environment["FLIPSIDE_STRICT"] != nil {
    for target in package.targets where !cModules.contains(target.name) {
        target.swiftSettings = [.treatAllWarnings(as: .error)]
    }
}

// Only the tests of one module and what they import, for a copy of the project with one more game.
if let tests = Context.environment["FLIPSIDE_TESTS_OF"] {
    var needed: Set<String?> = [tests]
    for target in package.targets.reversed() where needed.contains(target.name) {
        needed.formUnion(target.dependencies.map(\.name))
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
    package.dependencies = []
}

extension Target.Dependency {
    /// Nil for another package's.
    var name: String? { if case .byNameItem(let name, _) = self { name } else { nil } }
}

// The fuzz target, which only scripts/fuzz builds. It is linked to libFuzzer's main. What it feeds is part of the hub's
// tests, and here a target of its own without Swift Testing.
if Context.environment["FLIPSIDE_FUZZ"] != nil {
    package.products.append(.library(name: "Fuzz", type: .static, targets: ["Fuzz"]))
    package.targets.removeAll { $0.type == .test }
    package.targets += [
        .target(
            name: "Scripted",
            dependencies: [
                "Hub", "Cluster", "JSON", "Records", "RoomRules", "Rooms", "ProtocolOracles", "ReferenceModel",
                "TestSupport",
            ],
            path: "Tests/HubTests/Scripted",
            swiftSettings: [.define("FUZZING")]),
        .target(name: "Fuzz", dependencies: ["Scripted"], path: "Tests/Fuzz", exclude: ["corpora", "dictionary.txt"]),
    ]
}
