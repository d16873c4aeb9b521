/// The origin of the changes in a list.
package enum ChangeOrigin: String, CaseIterable, Sendable {
  /// All changes come from requests of the session itself, or there are none.
  case own
  /// All changes come from other sessions or from batches of the tree.
  case other
  /// Changes come from both.
  case mixed
}
