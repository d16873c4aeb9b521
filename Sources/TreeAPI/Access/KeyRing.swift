import Synchronization

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
