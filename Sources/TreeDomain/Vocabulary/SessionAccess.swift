/// The changes that a session lets its clients make.
///
/// It is chosen when the session is made and never changes.
public enum SessionAccess: String, CaseIterable, Sendable {
  /// Data and view.
  case write
  /// The view alone: the data of the tree stays as it is.
  case view
}
