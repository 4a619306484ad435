import Testing
import Threads

@Suite("Mailbox") struct MailboxTests {
    @Test("it keeps the order, refuses past its limit unless a message is owed, and ends empty") func holdsToLimit() {
        let mailbox = Mailbox<Int>(limit: 2)
        #expect([1, 2, 3].map { mailbox.post($0) } == [.taken, .taken, .full(limit: 2)])
        #expect(mailbox.post(4, isOwed: true) == .taken)
        #expect(mailbox.takeAll() == [1, 2, 4])
        #expect(mailbox.takeAll(waiting: .zero) == [])
        #expect(mailbox.takeAll(waiting: .milliseconds(1)) == [])
        mailbox.post(5)
        mailbox.close()
        #expect(mailbox.post(6) == .closed && mailbox.post(6, isOwed: true) == .closed)
        #expect(mailbox.takeAll() == [5])
        #expect(mailbox.takeAll() == nil)
    }

    @Test("of a batch it takes as many as there is room for") func takesBatch() {
        let mailbox = Mailbox<Int>(limit: 3)
        mailbox.post(1)
        #expect(mailbox.post([2, 3, 4, 5]) == (2, .full(limit: 3)))
        #expect(mailbox.post([6]) == (0, .full(limit: 3)))
        #expect(mailbox.takeAll() == [1, 2, 3])
        mailbox.post(7, isOwed: true)
        #expect(mailbox.post([8, 9]) == (2, .taken))
        mailbox.close()
        #expect(mailbox.post([10]) == (0, .closed))
        #expect(mailbox.takeAll() == [7, 8, 9])
    }

    /// It waits far longer than the test may take unless the count or the end stops it.
    @Test("it lets jobs gather until they are enough, time is up, or it is closed") func gathers() throws {
        let mailbox = Mailbox<Int>(limit: 9)
        let hour = Gathering(.seconds(3_600), orUntil: 3)
        let others = try SystemThread("others") {
            mailbox.post(1)
            _ = mailbox.post([2, 3])
        }
        #expect(mailbox.takeAll(gathering: hour) == [1, 2, 3])
        others.join()
        _ = mailbox.post([4, 5, 6, 7])
        #expect(mailbox.takeAll(gathering: hour) == [4, 5, 6, 7])
        mailbox.post(8)
        #expect(mailbox.takeAll(gathering: Gathering(.milliseconds(1), orUntil: 3)) == [8])
        #expect(mailbox.takeAll(waiting: .zero, gathering: Gathering(.milliseconds(1), orUntil: 3)) == [])
        // Single jobs wake the thread again.
        let answers = Mailbox<Int>(limit: 1)
        let answering = try SystemThread("answering") {
            for _ in 0..<100 { for job in mailbox.takeAll() ?? [] { answers.post(job) } }
        }
        for number in 0..<100 {
            mailbox.post(number)
            #expect(answers.takeAll() == [number])
        }
        answering.join()
        mailbox.post(9)
        let closer = try SystemThread("closer") { mailbox.close() }
        #expect(mailbox.takeAll(gathering: hour) == [9])
        closer.join()
        #expect(mailbox.takeAll(gathering: hour) == nil)
    }
}
