import Testing

@testable import WebProtocols
