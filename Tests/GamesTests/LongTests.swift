import Foundation

/// Whether what takes long is to be run in full: as the rules ask for, and not only in part. For the rest of the day
/// there are fewer games, which find the same mistakes less surely.
let areTestsLong = ProcessInfo.processInfo.environment["FLIPSIDE_LONG_TESTS"] != nil
