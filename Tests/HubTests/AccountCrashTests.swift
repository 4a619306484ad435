import Cryptography
import EventStore
import Games
import JSON
import Records
import Testing

@testable import Hub

/// The process dies at each step of each change: before and after each call of the log, and after a call whose result
/// no one got. After the next start all streams fit together, and the same request does what it should.
@Suite("Accounts: kill -9 at each step") struct AccountCrashTests {
    enum Change: CaseIterable {
        case register, rename, rewrite, link, recover, revoke, forget
    }

    @Test("a change is made completely or not at all", arguments: Change.allCases, [false, true])
    func isWhole(change: Change, isLastDone: Bool) throws {
        // At most three loads and an append.
        for steps in 0...5 {
            let scene = Scene(change)
            _ = scene.ask()
            for _ in 0..<steps { scene.hub.step() }
            if isLastDone { scene.hub.log.crash(after: 1) }
            scene.hub.crash(downtime: 1_000)
            try scene.expectWholeAccounts()
            let again = scene.ask()
            scene.hub.settle()
            #expect(scene.expected.contains(again.status), "\(again.status) behind \(steps) steps")
            try scene.expectWholeAccounts()
            #expect(scene.isDone)
        }
    }

    /// A hub just before a change is asked for.
    private struct Scene {
        let hub = ScriptedHub(pace: .stepped)
        private let change: Change
        private let ann: ScriptedPlayer
        private let phone: ScriptedPlayer
        private let device: String
        private let code: String

        init(_ change: Change) {
            self.change = change
            ann = hub.player("Ann")
            phone = hub.linked(ann, "Phone")
            device = hub.device(of: phone)
            code = hub.code(change == .recover ? "recovery-code" : "link-code", of: ann)
        }

        func ask() -> ScriptedResponse {
            switch change {
            case .register: return hub.register("Bea", ScriptedHub.token(of: "new"), settling: false)
            case .rename: return hub.rename(ann, "Bea", settling: false)
            case .rewrite: return hub.rename(ann, "ANN", settling: false)
            case .link, .recover: return hub.addDevice("new", by: code, settling: false)
            case .revoke: return hub.revoke(device, by: ann, settling: false)
            case .forget: return hub.forget(ann, settling: false)
            }
        }

        /// The possible answers to the repeated request; the first one if the change was not done before.
        var expected: [Int] {
            switch change {
            case .register, .link, .recover: [201, 200]
            case .rename, .rewrite: [200]
            case .revoke: [204, 404]
            case .forget: [204, 401]
            }
        }

        var isDone: Bool {
            let me = { (token: String) in hub.request("GET", "/api/players/me", token: token) }
            return switch change {
            case .register: me(ScriptedHub.token(of: "new")).fields["name"] == "Bea"
            case .rename: me(phone.token).fields["name"] == "Bea"
            case .rewrite: me(phone.token).fields["name"] == "ANN"
            case .link, .recover: me(ScriptedHub.token(of: "new")).fields["id"]?.string == ann.id
            case .revoke: me(phone.token).status == 401
            case .forget: me(phone.token).status == 401 && me(ann.token).status == 401
            }
        }

        /// Each name and token belongs to its account, and the other way round. The rows say the same.
        func expectWholeAccounts() throws {
            let records = hub.storage.records.filter { $0.stream != .hub }
            var claimed: Set<StreamName> = []
            for opened in records where opened.event.type == AccountEvent.Kind.opened.rawValue {
                let account = try #require(try Account(records.filter { $0.stream == opened.stream }))
                #expect(account.nameEnd == hub.storage.end(of: .name(account.folded)))
                for device in account.devices {
                    #expect(device.end == hub.storage.end(of: .token(device.tokenHash)))
                    claimed.insert(.token(device.tokenHash))
                }
                claimed.formUnion([opened.stream, .name(account.folded)])
                var rows: [PlayerRow] = []
                hub.shard.readModels.find(.players(ids: [account.id])) { rows = (try? $0.get()) ?? [] }
                hub.settle()
                #expect(
                    rows == [PlayerRow(id: account.id, name: account.name, head: account.nameEnd.head)])
            }
            #expect(Set(records.map(\.stream)) == claimed)
        }
    }
}
