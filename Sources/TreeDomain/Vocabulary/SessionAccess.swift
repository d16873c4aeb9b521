/// The changes that a session allows to its clients.
///
/// The access is set when the session is created and never changes.
package enum SessionAccess: String, CaseIterable, Sendable {
  /// Changes of data and view.
  case write
  /// Changes of the view only.
  case view
}
