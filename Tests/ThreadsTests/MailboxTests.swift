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
}
