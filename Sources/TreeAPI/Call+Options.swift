import HTTP
import TreeDomain

extension Call {
  /// How to take and answer a batch: by its query, and by `If-Match` and `Idempotency-Key`.
  func batchOptions() throws(ServiceError) -> BatchOptions {
    var options = try query.batchOptions()
    options.condition = try condition()
    options.idempotency = try idempotency()
    return options
  }

  /// How to take what changes a tree, whose answer has no rows.
  func treeOptions() throws(ServiceError) -> BatchOptions {
    var options = BatchOptions()
    options.isDryRun = try query.isDryRun()
    options.condition = try condition()
    options.idempotency = try idempotency()
    return options
  }

  /// The revisions at which the request may be carried out (`If-Match`, RFC 9110, 13.1.1); nil for
  /// any.
  ///
  /// A tag that is no revision's, or weak, matches none.
  private func condition() throws(ServiceError) -> RevisionCondition? {
    guard request.fields.contains(.ifMatch) else { return nil }
    guard let list = EntityTagList(request.fields, .ifMatch) else {
      throw ServiceError(
        .invalidRequest,
        "If-Match must be * or revisions in quotes, such as \"12\"."
      )
    }
    guard !list.isAny else { return .any }
    return .oneOf(list.strongTags.compactMap { Query.revision(writtenAs: $0) })
  }

  /// What makes a repeated request the same one (`Idempotency-Key`).
  func idempotency() throws(ServiceError) -> IdempotencyKey? {
    guard let token = try idempotencyToken() else { return nil }
    var fingerprint = beginFingerprint()
    fingerprint.add(request.body)
    return IdempotencyKey(token: token, fingerprint: fingerprint.value)
  }

  /// The token that names the request.
  func idempotencyToken() throws(ServiceError) -> [UInt8]? {
    guard let token = request.fields.combinedValue(.idempotencyKey) else { return nil }
    guard 1...255 ~= token.count, token.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw ServiceError(
        .invalidRequest,
        "Idempotency-Key must be 1 to 255 visible ASCII characters, and come once."
      )
    }
    return token
  }

  /// The beginning of a fingerprint, to which the body is to be added.
  func beginFingerprint() -> Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.add(request.method.rawValue.utf8)
    // Neither a method nor a target has spaces.
    fingerprint.add(" ".utf8)
    fingerprint.add(request.target.raw)
    fingerprint.add(" ".utf8)
    return fingerprint
  }
}

extension FieldName {
  /// Whether the answer was given before, to the same request.
  static let idempotencyReplayed = FieldName("Idempotency-Replayed")
}

extension Fields {
  /// Notes that the answer was given before, if it was.
  mutating func note(isReplayed: Bool) {
    if isReplayed { append(.idempotencyReplayed, "true") }
  }
}
