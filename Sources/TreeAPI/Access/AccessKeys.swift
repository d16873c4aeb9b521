import Synchronization

/// The keys of the service, each with an id, a secret and scopes.
///
/// All are valid at the same time. Several keys may have the same id, so that a secret can be
/// replaced without an interruption. Neither a description nor an error contains a secret.
package struct AccessKeys: Equatable, Sendable {
  struct Key: Equatable, Sendable {
    let id: String
    let secret: PaddedSecret
    let scopes: Set<KeyScope>
  }

  private(set) var keys: [Key] = []

  /// Creates an empty set, with which the service requires no credentials.
  package init() {}

  /// True if there are no keys.
  package var isEmpty: Bool { keys.isEmpty }

  /// The number of keys.
  package var count: Int { keys.count }

  /// True if there are keys of more than one id.
  var areSeveral: Bool { keys.contains { $0.id != keys[0].id } }

  /// Returns the key with a secret, or nil if no key has it.
  ///
  /// - Complexity: O(keys), the same for each secret.
  func key(with secret: some Collection<UInt8>) -> Key? {
    guard let padded = PaddedSecret(secret) else { return nil }
    var place: Int?
    for index in keys.indices where keys[index].secret == padded { place = index }
    return place.map { keys[$0] }
  }

  mutating func append(_ key: Key) { keys.append(key) }
}

extension AccessKeys: CustomStringConvertible, CustomReflectable {
  /// The ids.
  package var description: String { "keys: " + keys.map(\.id).joined(separator: ", ") }

  /// A mirror that shows only the ids.
  package var customMirror: Mirror { Mirror(self, children: ["ids": keys.map(\.id)]) }
}

/// A set of permissions that a key may have.
package enum KeyScope: String, CaseIterable, Sendable {
  /// Reading everything, and creating and using sessions with `"access": "view"`.
  case read
  /// Reading `GET /metrics` only.
  case metrics
  /// Everything.
  case admin
}

/// The current keys, which can be replaced while requests are served.
package final class KeyRing: Sendable {
  private let keys: Mutex<AccessKeys>

  init(_ keys: AccessKeys) { self.keys = Mutex(keys) }

  /// The current keys.
  var current: AccessKeys { keys.withLock { $0 } }

  /// Replaces all keys at once, for requests that arrive from now on.
  ///
  /// - Precondition: Neither the old nor the new keys are empty. Session secrets and the allowed
  ///   hosts depend on that.
  package func replace(with new: AccessKeys) {
    keys.withLock { keys in
      precondition(!keys.isEmpty && !new.isEmpty, "a service keeps asking for keys")
      keys = new
    }
  }
}
