import Games
import JSON
import Testing
import Transport

@testable import Hub
@testable import Rooms

@Suite("Log lines about limits of addresses") struct LimitNoticesTests {
    private let hub: ScriptedHub

    init() {
        hub = ScriptedHub(limits: .with { ($0.registrationsPerMinute, $0.failuresPerMinute) = (1, 1) })
    }

    private func register(from address: String, times: Int) {
        for number in 0..<times {
            let name = "Ann \(number) \(SystemRandom().bytes(4).hex)"
            _ = hub.register(name, ScriptedHub.token(of: name), from: .at(address))
        }
    }

    /// The lines since the last call.
    private func lines() -> [String] { hub.logged.of(.notice).filter { $0.contains("a limit was passed") } }

    @Test("the first address beyond a limit has a line at once, and the others of a minute share one")
    func lineAMinute() {
        register(from: "192.0.2.1", times: 1)
        #expect(lines() == [])
        register(from: "192.0.2.1", times: 2)
        let first =
            "notice a limit was passed (logged once a minute) addresses=192.0.2.1 "
            + "limit=registrations-per-minute times=1"
        #expect(lines() == [first])
        for address in ["2001:db8::7", "192.0.2.2", "192.0.2.1"] { register(from: address, times: 3) }
        hub.pass(59_000)
        #expect(lines() == [first])
        hub.pass(1_000)
        let second =
            "notice a limit was passed (logged once a minute) addresses=192.0.2.1, 2001:db8::/64, 192.0.2.2 "
            + "limit=registrations-per-minute times=8"
        #expect(lines() == [first, second])
        hub.pass(600_000)
        #expect(lines() == [first, second])
        register(from: "192.0.2.9", times: 2)
        #expect(lines().count == 3)
    }

    @Test("a line names ten addresses, and says if there were others")
    func addresses() {
        register(from: "192.0.2.1", times: 2)
        for number in 1...LimitNotices.addressLimit { register(from: "198.51.100.\(number)", times: 2) }
        hub.pass(60_000)
        let ten = (1...LimitNotices.addressLimit).map { "198.51.100.\($0)" }.joined(separator: ", ")
        #expect(lines().last?.contains("addresses=\(ten) limit") == true)
        for number in 1...(LimitNotices.addressLimit + 1) { register(from: "203.0.113.\(number)", times: 2) }
        hub.pass(60_000)
        #expect(lines().last?.contains("203.0.113.10, others limit=registrations-per-minute times=11") == true)
    }

    @Test("each limit has its own line")
    func ownLines() {
        register(from: "192.0.2.1", times: 2)
        for _ in 0..<2 { _ = hub.request("GET", "/api/players/me", token: "none", from: .at("192.0.2.1")) }
        #expect(lines().map { $0.contains("limit=failures-per-minute") } == [false, true])
    }
}
