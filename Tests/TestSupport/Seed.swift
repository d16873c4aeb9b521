import Foundation

/// What the environment asks of random tests.
///
/// `SEED` picks the first seed, `ITERATIONS` how many seeds are tried, `OPERATIONS` how many steps
/// each of them takes; with `EXHAUSTIVE=1` nothing is left out. A test names its seed in every
/// failure, so that `SEED=n ITERATIONS=1` runs exactly the failing case again.
package enum Seed {
  /// The first seed: `SEED`, or the given one, so that a run without settings is repeatable.
  package static func fromEnvironment(default seed: UInt64 = 1) -> UInt64 {
    value("SEED").flatMap(UInt64.init) ?? seed
  }

  /// How many seeds to try: `ITERATIONS`, or the given number.
  package static func iterations(default count: Int) -> Int {
    value("ITERATIONS").flatMap(Int.init) ?? count
  }

  /// How many steps one seed takes: `OPERATIONS`, or the given number.
  package static func operations(default count: Int) -> Int {
    value("OPERATIONS").flatMap(Int.init) ?? count
  }

  /// The seeds to try: consecutive ones from ``fromEnvironment(default:)``.
  package static func seeds(count: Int) -> [UInt64] {
    let first = fromEnvironment()
    return (0..<iterations(default: count)).map { first &+ UInt64($0) }
  }

  /// Whether nothing is to be left out, whatever it takes: `EXHAUSTIVE`.
  package static var isExhaustive: Bool { value("EXHAUSTIVE") == "1" }

  private static func value(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
