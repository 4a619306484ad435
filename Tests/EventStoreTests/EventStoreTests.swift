import Testing

@testable import EventStore
