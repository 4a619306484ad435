import Foundation

/// Tests that take minutes run in full if FLIPSIDE_LONG_TESTS is set, and shorter otherwise.
enum LongTests {
    static let areOn = ProcessInfo.processInfo.environment["FLIPSIDE_LONG_TESTS"] != nil

    static func count(_ short: Int, long: Int) -> Int { areOn ? long : short }
}
