import HTTP

/// The secret that the instances of a cluster share, which proves that one of them sent a request.
///
/// Neither its description nor its mirror contains it.
package struct ClusterSecret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
  /// The allowed lengths of a secret in bytes.
  package static let lengths = 16...512

  /// The field that carries the secret, for requests to other instances.
  let fields: Fields
  private let padded: PaddedSecret

  /// Creates a secret; nil if it is not 16 to 512 visible ASCII characters.
  package init?(_ bytes: some Collection<UInt8>) {
    guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ 0x21...0x7E ~= $0 }),
      let padded = PaddedSecret(bytes)
    else { return nil }
    self.padded = padded
    var fields = Fields()
    fields.append(.hop, bytes)
    self.fields = fields
  }

  /// Returns true if two secrets are the same, in constant time.
  package static func == (left: ClusterSecret, right: ClusterSecret) -> Bool {
    left.padded == right.padded
  }

  /// Returns true if a value of the field is the secret, in constant time.
  func matches(_ value: ArraySlice<UInt8>) -> Bool { PaddedSecret(value) == padded }

  /// A text without the secret.
  package var description: String { "secret of the cluster" }

  /// A mirror without the secret.
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension FieldName {
  /// The secret of the cluster, on requests from one instance to another.
  static let hop = FieldName("Tree-Hop")
  /// The address of the client, on requests with the secret.
  static let client = FieldName("Tree-Client")
}
