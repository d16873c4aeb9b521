/// The distribution of trees over the instances of a cluster, as one instance knows it.
///
/// All functions are called on event loops and must not block.
package protocol Placement: Sendable {
  /// Returns the place of a shared tree by its id.
  func place(ofTree id: [UInt8]) -> Place

  /// Returns the place of a session by its id.
  func place(ofSession id: [UInt8]) -> Place

  /// Returns the place of a session to be created with a tree of its own, or of a shared tree to be
  /// created without an id.
  ///
  /// - Parameter token: The idempotency key of the request, so that a retry gets the same place;
  ///   nil if it has none.
  /// - Returns: The place.
  func place(ofNewSession token: [UInt8]?) -> Place

  /// The addresses of the other instances that are alive, as `host:port`.
  var others: [String] { get }

  /// True if every tree has a place at present.
  var isComplete: Bool { get }
}

/// The place where a request is answered.
package enum Place: Equatable, Sendable {
  /// This instance.
  case here
  /// Another instance, by its address as `host:port`.
  case at(String)
  /// Nowhere at present: the former owner's lease has not ended yet, or the database is out of
  /// reach.
  ///
  /// The seconds are those after which a retry may succeed.
  case nowhere(retryAfter: Int)
}
