/// The keys of those who may ask for everything: each an id, for whoever has to tell them apart,
/// and a secret.
///
/// All of them are valid at once, so that a new one can be handed out before the old one is taken
/// away. Nothing here, and no error, ever shows a secret.
public struct AccessKeys: Equatable, Sendable {
  struct Key: Equatable, Sendable {
    let id: String
    let secret: PaddedSecret
  }

  private(set) var keys: [Key] = []

  /// No keys: the service asks nobody for credentials.
  public init() {}

  /// Whether there are none.
  public var isEmpty: Bool { keys.isEmpty }

  /// The id of the key with this secret; nil if it is none of theirs.
  ///
  /// - Complexity: O(keys), the same whichever it is.
  func id(of secret: some Collection<UInt8>) -> String? {
    guard let padded = PaddedSecret(secret) else { return nil }
    var id: String?
    for key in keys where key.secret == padded { id = key.id }
    return id
  }

  mutating func append(_ key: Key) { keys.append(key) }
}

extension AccessKeys: CustomStringConvertible, CustomReflectable {
  /// The ids.
  public var description: String { "keys: " + keys.map(\.id).joined(separator: ", ") }

  /// Nothing but the ids.
  public var customMirror: Mirror { Mirror(self, children: ["ids": keys.map(\.id)]) }
}
