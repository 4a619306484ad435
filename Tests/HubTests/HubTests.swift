import Testing

@testable import Hub
