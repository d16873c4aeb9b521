/// The origin of the changes that a list tells.
public enum ChangeOrigin: String, CaseIterable, Sendable {
  /// All of them came from requests of the session itself, or there are none.
  case own
  /// None of them did: other sessions made them, or batches of the tree.
  case other
  /// Some of them did.
  case mixed
}
