/// The format of a change list.
package enum ChangeFormat: String, CaseIterable, Sendable {
  /// An entry for each row.
  case rows
  /// Runs of neighbouring rows merged, each with its `count`.
  case ranges
  /// No entries, for a client that needs no list.
  case none
}
