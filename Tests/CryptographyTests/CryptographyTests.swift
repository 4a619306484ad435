import Testing

@testable import Cryptography
