import FuzzTargets
import Glibc

/// The target that `FUZZ_TARGET` names.
private let target: FuzzTarget = {
  guard let target = FuzzTarget(rawValue: setting("FUZZ_TARGET")) else {
    fatalError("set FUZZ_TARGET to \(FuzzTarget.allCases.map(\.rawValue).joined(separator: ", "))")
  }
  return target
}()

private func setting(_ name: String) -> String {
  unsafe getenv(name).map { unsafe String(cString: $0) } ?? ""
}

/// Writes the corpus to `FUZZ_CORPUS`. libFuzzer calls this before it reads the corpus.
@c(LLVMFuzzerInitialize)
public func fuzzerInitialize(_ count: OpaquePointer?, _ arguments: OpaquePointer?) -> Int32 {
  for (number, input) in target.corpus.enumerated() {
    guard let file = unsafe fopen("\(setting("FUZZ_CORPUS"))/begin-\(number)", "w") else {
      fatalError("set FUZZ_CORPUS to a folder")
    }
    unsafe fwrite(input, 1, input.count, file)
    unsafe fclose(file)
  }
  return 0
}

/// Checks an input. libFuzzer calls this for each.
@c(LLVMFuzzerTestOneInput)
public func fuzzerTestOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = unsafe Array(UnsafeBufferPointer(start: start, count: count))
  do throws(FuzzFinding) {
    try target.check(input)
  } catch {
    fatalError(error.description)
  }
  return 0
}
