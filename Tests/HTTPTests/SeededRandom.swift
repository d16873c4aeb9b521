import Glibc

/// A small generator (SplitMix64) with a seed, so that a failure can be repeated.
struct SeededRandom {
  let seed: UInt64
  private var state: UInt64

  /// Bytes that are significant to a parser.
  static let interesting: [UInt8] = Array("\r\n\0\t :;,%/?#=0gé".utf8)

  /// The seed from the environment variable `SEED`, else a random one.
  init() {
    seed = Self.number("SEED").map(UInt64.init) ?? UInt64.random(in: 0..<1_000_000_000)
    state = seed
  }

  static func iterations(default count: Int) -> Int { number("ITERATIONS") ?? count }

  mutating func next(below bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
  }

  private static func number(_ name: String) -> Int? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe Int(String(cString: value))
  }
}
