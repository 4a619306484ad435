import Games
import Testing

@testable import RoomRules

@Suite("Attendance") struct AttendanceTests {
    @Test("a player is absent 60 s after the last of several connections has ended")
    func absence() {
        var attendance = Attendance(now: 0)
        for _ in 1...2 { attendance.record(.came("ann"), at: 0) }
        attendance.record(.went("ann"), at: 1_000)
        #expect(attendance.goneSince("ann") == nil)
        attendance.record(.went("ann"), at: 5_000)
        #expect(attendance.goneSince("ann") == 5_000)
        #expect(!attendance.isAbsent("ann", at: 64_999) && attendance.isAbsent("ann", at: 65_000))
        attendance.record(.came("ann"), at: 65_000)
        #expect(!attendance.isAbsent("ann", at: 65_000))
    }

    @Test("a player who has never connected has been gone since the room woke")
    func neverHere() {
        let attendance = Attendance(now: 7)
        #expect(attendance.goneSince("ann") == 7 && !attendance.hasBeenHere("ann"))
    }

    @Test("a room is empty while it has no connection, even of a spectator")
    func empty() {
        var attendance = Attendance(now: 3)
        #expect(attendance.isEmpty && attendance.emptySince == 3)
        for _ in 1...2 { attendance.record(.opened, at: 4) }
        attendance.record(.closed, at: 5)
        #expect(!attendance.isEmpty)
        attendance.record(.closed, at: 6)
        #expect(attendance.isEmpty && attendance.emptySince == 6)
    }

    @Test(
        "time in which a room could not be played is no absence",
        arguments: [(10, 20), (20, 30), (25, 30), (30, 30), (40, 40)] as [(Milliseconds, Milliseconds)])
    func leftOut(gone: Milliseconds, counted: Milliseconds) {
        var attendance = Attendance(now: 0)
        attendance.record(.came("ann"), at: 0)
        attendance.record(.went("ann"), at: gone)
        attendance.leaveOut(from: 20, until: 30)
        #expect(attendance.goneSince("ann") == counted)
    }

    @Test("if too many have gone all are forgotten, and no one counts as gone for longer than is known")
    func forgets() {
        var attendance = Attendance(now: 0)
        for number in 0...1_000 {
            attendance.record(.came("p\(number)"), at: 0)
            attendance.record(.went("p\(number)"), at: number)
            #expect(attendance.goneSince("p0") == (number < 1_000 ? 0 : 1_000))
        }
        #expect(!attendance.hasBeenHere("p0") && attendance.hasBeenHere("p1000"))
    }
}
