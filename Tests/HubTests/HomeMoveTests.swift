import EventStore
import Games
import JSON
import Testing

@testable import Cluster
@testable import Hub

@Suite("Several nodes: a home that leaves or dies") struct HomeMoveTests {
    @Test("a node that joins takes no rooms, and serves those whose clients come to it")
    func joins() {
        let cluster = ScriptedCluster(count: 4, serving: 3)
        let table = SpreadTable(isDealt: true, in: cluster)
        cluster.serveByAll()
        #expect(table.pages.allSatisfy { $0.closed == nil })
        let late = cluster.nodes[3].join(table.code)
        table.playOut()
        table.expectSame(table.pages)
        #expect(late.last("game-ended") != nil && cluster.holder(of: table.code) === table.home)
        let code = table.home.open(table.ann)
        #expect(cluster.nodes[3].join(code).last("welcome") != nil)
        #expect(cluster.holder(of: code) === cluster.nodes[3])
    }

    @Test("a commit under way when a home is stopped is done once, and shown before members are sent away")
    func stopsMeanwhile() {
        let cluster = ScriptedCluster(count: 2, serving: 2)
        let (old, new) = (cluster.nodes[0], cluster.nodes[1])
        let ann = old.player("Ann")
        let code = old.open(ann)
        let (page, other) = (old.join(code, ann), new.join(code))
        old.log.pace = .stepped
        page.command("sit", id: "under way", settling: false)
        #expect(page.messages.allSatisfy { $0["id"] != "under way" })
        cluster.stop(old)
        #expect(page.last("ok")?["id"] == "under way")
        for page in [page, other] {
            #expect(page.events.map { $0["type"] } == ["seat-taken"])
            #expect(page.closed == .serviceRestart)
        }
        #expect(old.shard.rooms[code] == nil && cluster.holder(of: code) == nil)
        let back = page.comeBack(to: new, code, as: ann)
        #expect(back.command("sit", id: "under way") == page.last("ok"))
        #expect(back.events.isEmpty && new.room(code).version == page.seen)
    }

    @Test("when a home dies, members on other nodes play on at the next one", arguments: [false, true])
    func dies(isUnderWay: Bool) throws {
        var table = SpreadTable()
        table.ask(table.mover, "flip", ["cell": 0])
        if isUnderWay { table.cluster.loses = { if case .relay(_, .said) = $0 { true } else { false } } }
        table.benPage.command("leave", id: "under way")
        table.cluster.loses = { _ in false }
        table.cluster.kill(table.home)
        // Ann is at the home, and gets nothing.
        for page in [table.benPage, table.watcher] { #expect(page.closed == .serviceRestart) }
        let annPage = table.annPage
        table.comeBack()
        if isUnderWay { table.benPage.command("leave", id: "under way") }
        #expect(table.benPage.all.flatMap(\.messages).count { $0["id"] == "under way" } == 1)
        table.expectSame([table.benPage, table.watcher])
        #expect(table.cluster.home(of: table.code).room(table.code).seats.count == 1)
        #expect(annPage.closed == nil && table.annPage.closed == nil)
        #expect(table.annPage.seen == table.benPage.seen)
        table.annPage.leave()
        table.cluster.pass(2_500)
        for page in [table.benPage, table.watcher] { #expect(page.present.players == [table.ben.id]) }
    }

    @Test("a member who has seen more than a node gets what the log holds", arguments: [false, true])
    func knowsMore(isHomeDead: Bool) throws {
        let table = SpreadTable()
        table.cluster.loses = { if case .relay(_, .broadcast) = $0 { true } else { false } }
        table.ask(table.mover, "flip", ["cell": 0])
        let records = table.home.storage.records(of: .room(table.code))
        let others = table.cluster.nodes(of: table.code)[1...]
        if isHomeDead { table.cluster.kill(table.home) }
        for other in others {
            let last = records[records.count - 1]
            let page = other.join(table.code, table.ann, after: last.version, head: last.hash.hex)
            #expect(page.messages.first { $0["type"] != "presence" }?["type"] == "resume")
            #expect(page.messages.allSatisfy { $0["diverged"] == nil })
        }
        // Unwritten events are lost.
        let stranger = others[1].join(table.code, after: records.count + 5, head: records[0].hash.hex)
        #expect(stranger.last("welcome")?["diverged"] == true)
    }

    @Test("messages lost on a link are repeated, and nothing is done or shown twice", arguments: [true, false])
    func linkLost(losesAnswers: Bool) {
        var table = SpreadTable()
        let isAnns = table.mover === table.annPage
        table.cluster.loses = { message in
            switch message {
            case .relay(_, let message): message.isForHome != losesAnswers
            default: false
            }
        }
        func ask() {
            for page in [table.benPage, table.annPage] {
                for (type, fields) in [("flip", ["cell": 1]), ("say", ["text": "hello"])] as [(String, Fields)]
                where page.all.allSatisfy({ $0.messages.allSatisfy { $0["id"] != .string(type) } }) {
                    page.command(type, fields, id: type)
                }
            }
        }
        ask()
        #expect(table.benPage.messages.allSatisfy { $0["id"] != "flip" && $0["id"] != "say" })
        table.cluster.mendLinks()
        #expect(table.pages.map(\.closed) == [nil, .serviceRestart, .serviceRestart])
        table.comeBack()
        ask()
        for page in [table.benPage, table.annPage] {
            for id in ["flip", "say"] {
                #expect(page.all.flatMap(\.messages).count { $0["id"] == .string(id) } == 1)
            }
        }
        let mover = isAnns ? table.annPage : table.benPage
        #expect(mover.messages.contains { $0["id"] == "flip" && $0["type"] == "ok" })
        #expect(table.annPage.messages.count { $0["type"] == "chat" } == 2)
        let late = table.home.join(table.code)
        #expect(late.last("welcome")?["chat"]?.list?.count == 2)
        table.playOut()
        table.expectSame(table.pages)
    }

    @Test("a player renamed while a hello is on its way has the new name everywhere")
    func renamedMeanwhile() throws {
        let table = SpreadTable(isDealt: false)
        let (home, other, ben) = (table.home, table.cluster.nodes(of: table.code)[1], table.ben)
        table.cluster.isSlow = true
        let page = other.join(table.code, ben)
        // The home learns of it before what is under way to it.
        #expect(other.rename(ben, "Bea").status == 200)
        home.log.poll()
        home.shard.handle(.accountChanged(ben.id))
        home.settle()
        table.cluster.loses = { if case .accountChanged = $0 { true } else { false } }
        table.cluster.isSlow = false
        other.settle()
        table.cluster.pass(2_000)
        for page in table.pages + [page] { #expect(page.present.names[ben.id] == "Bea") }
    }

    @Test("a player who is back after a home's death gets the seat back from the computer", arguments: [1, 2])
    func backMeanwhile(at place: Int) {
        let table = SpreadTable()
        table.annPage.leave()
        table.cluster.pass(61_000)
        #expect(table.ask(table.benPage, "bot", ["seat": 0, "level": "easy"])?["type"] == "ok")
        #expect(table.home.room(table.code).isHelped(Seat(0)))
        // At the next home, or at a relaying node.
        let nodes = table.cluster.nodes(of: table.code)
        let node = nodes[place]
        table.cluster.loses = { _ in true }
        let page = node.join(table.code, table.ann)
        table.cluster.loses = { _ in false }
        table.cluster.kill(table.home)
        #expect(page.closed == .serviceRestart)
        _ = table.benPage.comeBack(to: nodes[1], table.code, as: table.ben)
        _ = page.comeBack(to: node, table.code, as: table.ann)
        #expect(table.cluster.holder(of: table.code) === nodes[1])
        #expect(!table.cluster.home(of: table.code).room(table.code).isHelped(Seat(0)))
    }
}
