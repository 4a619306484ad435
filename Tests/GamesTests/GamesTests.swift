import Testing

@testable import Games
