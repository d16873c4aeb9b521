import Foundation
import JSON

/// The bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The text of some bytes, for messages and comparisons.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// What validating gives: `nil` when the bytes are JSON.
func fault(_ bytes: [UInt8], maxDepth: Int = JSONReader.defaultMaxDepth) -> JSONError? {
  do throws(JSONError) {
    _ = try JSONReader.validate(bytes, maxDepth: maxDepth)
    return nil
  } catch {
    return error
  }
}

func fault(_ text: String) -> JSONError? { fault(utf8(text)) }

/// What a random test is run with, from the environment.
enum RandomRun {
  /// The seed, from `SEED` or else the clock.
  static let seed =
    ProcessInfo.processInfo.environment["SEED"].flatMap(UInt64.init)
    ?? UInt64(Date().timeIntervalSince1970 * 1000)
  /// How many rounds, from `ITERATIONS`.
  static let iterations =
    ProcessInfo.processInfo.environment["ITERATIONS"].flatMap(Int.init) ?? 2_000
}

/// SplitMix64: small, seeded, the same everywhere.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z &>> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z &>> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z &>> 31)
  }
}
