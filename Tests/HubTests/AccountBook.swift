import Cryptography
import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import RoomRules

/// Accounts without a hub: judges commands and writes the resulting events to a log in memory.
final class AccountBook {
    private let storage = InMemoryStorage()
    private let random = SeededRandom(3)
    var now: Milliseconds = 1_000_000
    /// The codes that were made, newest last.
    private(set) var codes: [AccountCode] = []
    private(set) var id: PlayerID = ""
    /// The device that asks.
    var device = "a"

    /// `Ann`, with the device `a`.
    init() throws {
        guard case .player(let id, _, true)? = try perform(.register(PlayerName("Ann"), .test("a"))) else {
            Issue.record("Ann is not registered")
            return
        }
        self.id = id
    }

    var account: Account? {
        do { return try Account(storage.records(of: .account(id))) } catch {
            Issue.record(error)
            return nil
        }
    }

    func end(of stream: StreamName) -> StreamEnd { storage.end(of: stream) }
    var streams: Set<StreamName> { Set(storage.records.map(\.stream)) }

    func decide(_ command: AccountCommand) throws(Rejection) -> AccountDecision {
        let asker = AccountCommand.NewDevice.test(device).tokenHash
        return try command.decide(on: account, AccountContext(now: now, random: random, tokenHash: asker))
    }

    /// The account before the newest command.
    private(set) var accountBefore: Account?

    /// Throws the refusal; nil if the log refuses the commit.
    @discardableResult
    func perform(_ command: AccountCommand) throws(Rejection) -> AccountAnswer? {
        accountBefore = account
        switch try decide(command) {
        case .answer(let answer): return answer
        case .commit(let commit, let answer, let taken):
            let answers = AppendAnswers()
            InMemoryLog(storage: storage).append(commit, ticket: 1, answer: answers)
            if case .conflict(let stream, _) = answers.last, let refusal = taken[stream] { throw refusal }
            guard case .appended = answers.last else { return nil }
            if case .code(let code, _) = answer { codes.append(code) }
            return answer
        }
    }

    func refusal(of command: AccountCommand) -> Rejection? {
        do throws(Rejection) {
            _ = try decide(command)
            return nil
        } catch { return error }
    }
}

extension AccountCommand.NewDevice {
    static func test(_ name: String) -> AccountCommand.NewDevice {
        do { return try AccountCommand.NewDevice(tokenHash: SHA256.digest(of: name).hex, label: name) } catch {
            preconditionFailure(error.sentence)
        }
    }
}
