import TreeDomain
import TreeEngine

extension Result: Replayable where Success == Creation, Failure == ServiceError {
  func write(to writer: inout ByteWriter) {
    switch self {
    case .success(.end): writer.append(CreationKind.end)
    case .success(.session(let description)):
      writer.append(description.secret == nil ? CreationKind.session : .sessionWithSealedSecret)
      description.write(to: &writer)
      if let secret = description.secret { writer.append(secret) }
    case .success(.tree(let description)):
      writer.append(CreationKind.tree)
      description.write(to: &writer)
    case .failure(let refusal):
      writer.append(CreationKind.refusal)
      refusal.write(to: &writer)
    }
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    guard let kind = CreationKind(rawValue: try reader.byte()) else { throw .damaged }
    switch kind {
    case .end: self = .success(.end)
    case .tree: self = .success(.tree(try TreeDescription(reading: &reader)))
    case .refusal: self = .failure(try ServiceError(reading: &reader))
    case .session: self = .success(.session(try SessionDescription(reading: &reader)))
    case .sessionWithSealedSecret:
      var description = try SessionDescription(reading: &reader)
      description.secret = try reader.sealedSecret()
      self = .success(.session(description))
    }
  }
}

/// The kind of an answer, in a byte.
///
/// The value 2 stood for a session with a plain secret, which is no longer stored.
private enum CreationKind: UInt8 {
  case session = 0
  case tree = 1
  case sessionWithSealedSecret = 3
  case refusal = 4
  case end = 5
}

extension ByteWriter {
  fileprivate mutating func append(_ kind: CreationKind) { append(kind.rawValue) }

  fileprivate mutating func append(_ secret: SealedSecret) {
    for byte in secret.digest.bytes + secret.salt { append(byte) }
  }
}

extension ByteReader {
  fileprivate mutating func sealedSecret() throws(ImageError) -> SealedSecret {
    guard let digest = SecretDigest(bytes: try bytes(SHA256.byteCount)) else { throw .damaged }
    return SealedSecret(digest: digest, salt: try bytes(SealedSecret.saltBytes))
  }

  private mutating func bytes(_ count: Int) throws(ImageError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count { bytes.append(try byte()) }
    return bytes
  }
}

extension SessionDescription {
  func write(to writer: inout ByteWriter) {
    writer.append(string: session.bytes[...])
    writer.append(string: tree.bytes[...])
    writer.append(revision)
    writer.append(treeRevision)
    writer.append(count: rowCount)
    writer.append(count: nodeCount)
    writer.append(count: selectedCount)
    writer.append(sections, of: arena)
    writer.append(options)
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self.init(
      session: try reader.sessionID(),
      tree: try reader.treeID(),
      revision: try reader.revision(),
      treeRevision: try reader.revision(),
      rowCount: try reader.count(),
      nodeCount: try reader.count(),
      selectedCount: try reader.count(),
      options: SessionOptions()
    )
    sections = try reader.strings(into: &arena)
    options = try reader.sessionOptions()
  }
}

extension TreeDescription {
  func write(to writer: inout ByteWriter) {
    writer.append(string: tree.bytes[...])
    writer.append(revision)
    writer.append(count: nodeCount)
    writer.append(sections, of: arena)
    writer.append(sort)
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self.init(
      tree: try reader.treeID(),
      revision: try reader.revision(),
      nodeCount: try reader.count()
    )
    sections = try reader.strings(into: &arena)
    sort = try reader.sortOrder()
  }
}
