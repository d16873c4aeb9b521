/// The keys of the service: each has an id, a secret, and scopes.
///
/// All of them are valid at once. Several keys may have one id, so that a secret can be replaced
/// without a moment in which neither the old nor the new one is valid. Nothing here, and no error,
/// ever shows a secret.
public struct AccessKeys: Equatable, Sendable {
  struct Key: Equatable, Sendable {
    let id: String
    let secret: PaddedSecret
    let scopes: Set<KeyScope>
  }

  private(set) var keys: [Key] = []

  /// No keys: the service asks nobody for credentials.
  public init() {}

  /// True if there are no keys.
  public var isEmpty: Bool { keys.isEmpty }

  /// The number of keys.
  public var count: Int { keys.count }

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
  public var description: String { "keys: " + keys.map(\.id).joined(separator: ", ") }

  /// Nothing but the ids.
  public var customMirror: Mirror { Mirror(self, children: ["ids": keys.map(\.id)]) }
}
