import Synchronization

/// The keys that are valid at the moment, which can be replaced while requests are answered.
public final class KeyRing: Sendable {
  private let keys: Mutex<AccessKeys>

  init(_ keys: AccessKeys) { self.keys = Mutex(keys) }

  /// The keys that are valid at the moment.
  var current: AccessKeys { keys.withLock { $0 } }

  /// Replaces all keys at once: requests that come from now on are held against the new ones.
  ///
  /// - Precondition: There were keys, and there are keys in the new ones. The secrets of sessions
  ///   and the hosts that are answered depend on that.
  public func replace(with new: AccessKeys) {
    keys.withLock { keys in
      precondition(!keys.isEmpty && !new.isEmpty, "a service keeps asking for keys")
      keys = new
    }
  }
}
