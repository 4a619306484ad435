import Cryptography
import EventStore
import Games
import Records
import Testing

@testable import Hub

@Suite("Accounts") struct AccountTests {
    private let book: AccountBook

    init() throws { book = try AccountBook() }

    /// Adds a device by a new code.
    private func add(_ device: String, by make: AccountCommand = .makeLinkCode) throws {
        try book.perform(make)
        try book.perform(.addDevice(.test(device), try #require(book.codes.last)))
    }

    @Test("every event of an account reads back unchanged")
    func eventsReadBack() throws {
        let digest = SHA256.digest(of: "a head")
        let events: [AccountEvent] = [
            .opened(id: "0123456789abcdef", salt: "00ff"),
            .named(name: "Änn \"1\"", folded: "ann 1", end: StreamEnd(version: 3, head: digest)),
            .deviceAdded(.init(id: "d", tokenHash: digest.hex, label: "a\u{7}b", head: digest, by: .recovery)),
            .deviceRevoked(id: "d", by: "e"), .recoveryCodeMade(hash: digest.hex, device: "d"),
            .linkCodeMade(hash: digest.hex, until: 5),
        ]
        #expect(Set(events.map(\.kind)) == Set(AccountEvent.Kind.allCases))
        for event in events { #expect(AccountEvent(record(event.event(at: 7))) == event) }
    }

    @Test(
        "a stream with a foreign record cannot be read",
        arguments: ["{}", "nonsense", #"{"type":"device-revoked"}"#])
    func foreignRecords(shown: String) throws {
        let opened = record(AccountEvent.opened(id: "0123456789abcdef", salt: "00").event(at: 1))
        #expect(throws: EventLogError.self, "it has no name") { try Account([opened]) }
        #expect(try Account([]) == nil)
        for type in ["device-revoked", "something-else"] {
            let other = record(Event(time: 2, type: type, shown: Array(shown.utf8)))
            #expect(throws: EventLogError.self) { try Account([opened, other]) }
        }
    }

    private func record(_ event: Event) -> Record {
        Record(
            stream: .account("a"), version: 1, position: 1, commit: "c", event: event, hash: SHA256.digest(of: "h"))
    }

    @Test("an account knows where its name's and tokens' streams end, after any change")
    func knowsEnds() throws {
        func check() throws {
            let account = try #require(book.account)
            #expect(account.end == book.end(of: .account(account.id)))
            #expect(account.nameEnd == book.end(of: .name(account.folded)))
            for device in account.devices { #expect(device.end == book.end(of: .token(device.tokenHash))) }
            let tokens = account.devices.map { StreamName.token($0.tokenHash) }
            #expect(book.streams == Set(tokens + [.account(account.id), .name(account.folded)]))
        }
        try check()
        for name in ["ANN", "Bea", "BEA", "Ann"] {
            try book.perform(.rename(PlayerName(name)))
            try check()
        }
        try add("b")
        try add("c", by: .makeRecoveryCode)
        try check()
        try book.perform(.revoke(device: try #require(book.account?.devices.first?.id)))
        try check()
        #expect(book.account?.devices.map(\.by) == [.link, .recovery])
        #expect(try book.perform(.forget) == .gone)
        #expect(book.streams.isEmpty)
    }

    @Test("commands without effect change nothing")
    func nothingToDo() throws {
        let again: [AccountCommand] = [
            .register(try PlayerName("Ann"), .test("a")), .register(try PlayerName("ANN"), .test("a")),
            .rename(try PlayerName("Ann")),
        ]
        for command in again {
            #expect(try book.decide(command) == .answer(.player(book.id, name: "Ann", isNew: false)))
        }
        try book.perform(.makeLinkCode)
        let code = try #require(book.codes.last)
        let own = AccountCommand.addDevice(.test("a"), code)
        #expect(try book.decide(own) == .answer(.device(book.id, name: "Ann", by: .registration, isNew: false)))
    }

    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let code: String
        let act: @Sendable (AccountBook) throws -> Void

        init(_ testDescription: String, _ code: String, _ act: @escaping @Sendable (AccountBook) throws -> Void) {
            (self.testDescription, self.code, self.act) = (testDescription, code, act)
        }
    }

    @Test(
        "refused commands change nothing",
        arguments: [
            Refused("another name by registering", "token-has-name") {
                try $0.perform(.register(PlayerName("Bea"), .test("a")))
            },
            Refused("a device that there is not", "no-such-device") { try $0.perform(.revoke(device: "x")) },
            Refused("the last device", "last-device") {
                try $0.perform(.revoke(device: $0.account?.devices.first?.id ?? ""))
            },
            Refused("a code that was never made", "unknown-code") {
                let code = try #require(AccountCode(of: $0.id, random: SeededRandom(9)))
                try $0.perform(.addDevice(.test("b"), code))
            },
            Refused("a link code when its time is over", "unknown-code") {
                try $0.perform(.makeLinkCode)
                $0.now += AccountCommand.linkSpan
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
            },
            Refused("a link code that was used", "unknown-code") {
                try $0.perform(.makeLinkCode)
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
                try $0.perform(.addDevice(.test("c"), $0.codes[0]))
            },
            Refused("a recovery code that was used", "unknown-code") {
                try $0.perform(.makeRecoveryCode)
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
                try $0.perform(.addDevice(.test("c"), $0.codes[0]))
            },
            Refused("a link code that was replaced", "unknown-code") {
                for _ in 1...2 { try $0.perform(.makeLinkCode) }
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
            },
            Refused("a recovery code that was replaced", "unknown-code") {
                for _ in 1...2 { try $0.perform(.makeRecoveryCode) }
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
            },
            Refused("a link code from before a device was revoked", "unknown-code") {
                try $0.perform(.makeLinkCode)
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
                try $0.perform(.makeLinkCode)
                try $0.perform(.revoke(device: $0.account?.devices.last?.id ?? ""))
                try $0.perform(.addDevice(.test("c"), $0.codes[1]))
            },
            Refused("a recovery code of a device that another revoked", "unknown-code") {
                try $0.perform(.makeLinkCode)
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
                $0.device = "b"
                try $0.perform(.makeRecoveryCode)
                $0.device = "a"
                try $0.perform(.revoke(device: $0.account?.devices.last?.id ?? ""))
                try $0.perform(.addDevice(.test("b"), $0.codes[1]))
            },
            Refused("a code of an account that is gone", "unknown-code") {
                try $0.perform(.makeRecoveryCode)
                try $0.perform(.forget)
                try $0.perform(.addDevice(.test("b"), $0.codes[0]))
            },
            Refused("anything to an account that is gone", "unknown-token") {
                try $0.perform(.forget)
                try $0.perform(.forget)
            },
        ])
    func refuses(row: Refused) {
        var refusal: Rejection?
        do { try row.act(book) } catch { refusal = error as? Rejection }
        #expect(refusal?.code == row.code)
        #expect(book.account == book.accountBefore)
    }

    @Test("a link code works to the end of its time; a recovery code has none")
    func codesLast() throws {
        try book.perform(.makeRecoveryCode)
        try book.perform(.makeLinkCode)
        book.now += AccountCommand.linkSpan - 1
        try book.perform(.addDevice(.test("b"), book.codes[1]))
        book.now += 10 * 365 * 86_400_000
        try book.perform(.addDevice(.test("c"), book.codes[0]))
        #expect(book.account?.devices.map(\.by) == [.registration, .link, .recovery])
        #expect(book.account?.recovery == nil && book.account?.link == nil)
    }

    @Test("the last device can be removed if there is a recovery code, which then adds another")
    func lastDevice() throws {
        try book.perform(.makeRecoveryCode)
        try book.perform(.revoke(device: try #require(book.account?.devices.first?.id)))
        #expect(book.account?.devices == [])
        try book.perform(.addDevice(.test("b"), book.codes[0]))
        #expect(book.account?.devices.map(\.label) == ["b"])
    }

    @Test("a recovery code outlives its device if that signs itself out, and other devices if they are revoked")
    func recoveryCodeStays() throws {
        for device in ["b", "c"] { try add(device) }
        book.device = "b"
        try book.perform(.makeRecoveryCode)
        book.device = "a"
        try book.perform(.revoke(device: try #require(book.account?.devices.last?.id)))
        book.device = "b"
        try book.perform(.revoke(device: try #require(book.account?.devices.last?.id)))
        try book.perform(.addDevice(.test("d"), try #require(book.codes.last)))
        #expect(book.account?.devices.map(\.label) == ["a", "d"])
    }

    @Test("beyond the limit of changes in 24 hours, devices can still be revoked and the account forgotten")
    func changeLimit() throws {
        // Three events opened the account, and two added this device.
        try add("b")
        for number in 5..<Account.changesPerDay {
            #expect(try book.perform(.rename(PlayerName("Ann \(number)"))) != nil, "\(number)")
        }
        let commands: [AccountCommand] = [.rename(try PlayerName("Bea")), .makeLinkCode, .makeRecoveryCode]
        for command in commands { #expect(book.refusal(of: command)?.code == "too-many-changes") }
        #expect(book.refusal(of: .forget) == nil)
        try book.perform(.revoke(device: try #require(book.account?.devices.last?.id)))
        #expect(book.account?.devices.map(\.label) == ["a"])
        book.now += 86_400_000
        for command in commands { #expect(book.refusal(of: command) == nil) }
    }

    @Test(
        "a label is one short line of text",
        arguments: [
            ("  Firefox\non Linux", "Firefox on Linux"), ("\u{202E}a\u{7}b", "a b"), ("", ""),
            (String(repeating: "x", count: 60), String(repeating: "x", count: 60)),
            (String(repeating: "x", count: 61), nil),
        ] as [(String, String?)])
    func labels(row: (given: String, kept: String?)) {
        #expect((try? AccountCommand.NewDevice(tokenHash: "", label: row.given))?.label == row.kept)
    }
}
