/// The number of levels that an expansion or collapse affects.
///
/// The named node is the first level.
package enum Levels: Equatable, Sendable {
  /// A number of levels, at least 1.
  case count(Int)
  /// All levels.
  case all
}
