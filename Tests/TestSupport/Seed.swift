import Foundation

/// The settings of random tests in the environment.
///
/// `SEED` is the first seed, `ITERATIONS` the number of seeds, and `OPERATIONS` the number of steps
/// for each. `EXHAUSTIVE=1` runs all cases. Failures name their seed, so that `SEED=n ITERATIONS=1`
/// repeats the failing case.
package enum Seed {
  /// Returns the first seed: `SEED`, or the default, so that runs without settings repeat.
  package static func fromEnvironment(default seed: UInt64 = 1) -> UInt64 {
    value("SEED").flatMap(UInt64.init) ?? seed
  }

  /// Returns the number of seeds: `ITERATIONS`, or the default.
  package static func iterations(default count: Int) -> Int {
    value("ITERATIONS").flatMap(Int.init) ?? count
  }

  /// Returns the number of steps for a seed: `OPERATIONS`, or the default.
  package static func operations(default count: Int) -> Int {
    value("OPERATIONS").flatMap(Int.init) ?? count
  }

  /// Returns consecutive seeds from ``fromEnvironment(default:)``.
  package static func seeds(count: Int) -> [UInt64] {
    let first = fromEnvironment()
    return (0..<iterations(default: count)).map { first &+ UInt64($0) }
  }

  /// True if all cases run, whatever the time: `EXHAUSTIVE`.
  package static var isExhaustive: Bool { value("EXHAUSTIVE") == "1" }

  private static func value(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
