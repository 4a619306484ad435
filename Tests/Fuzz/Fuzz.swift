// Called by libFuzzer with a pointer; what leaves this file is a Swift array. Built by scripts/fuzz alone.
import Glibc

@testable import Scripted

/// What is fed: the one that scripts/fuzz names.
private let target: FuzzTarget = {
    let name = getenv("FLIPSIDE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
        fatalError("there is no fuzz target `\(name)`")
    }
    return target
}()

/// One input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    if let fault = target.fault(Array(UnsafeBufferPointer(start: start, count: count))) { fatalError(fault) }
    return 0
}
