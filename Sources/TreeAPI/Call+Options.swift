import HTTP
import TreeDomain

extension Call {
  /// Returns the form of the change list, by the query, else by `Prefer`.
  func listOptions() throws(ServiceError) -> BatchOptions {
    var options = try query.batchOptions()
    if prefersNoList { options.format = .none }
    return options
  }

  /// True if the client prefers an answer without a change list, and its query says nothing of it.
  private var prefersNoList: Bool {
    !query.has(.changes) && request.fields.preferMinimalReturn
  }

  /// Returns true if an answer of a format honors what the client prefers.
  func isMinimal(_ format: ChangeFormat) -> Bool { format == .none && prefersNoList }

  /// The fields of an answer that has a change list, or would have one.
  func fields(ofListed format: ChangeFormat) -> Fields {
    isMinimal(format) ? Self.unlisted : Self.listed
  }

  private static let listed: Fields = {
    var fields = Fields()
    fields.append(.vary, "Prefer")
    return fields
  }()

  private static let unlisted: Fields = {
    var fields = listed
    fields.append(.preferenceApplied, "return=minimal")
    return fields
  }()

  /// How to take and answer a batch: by its query, its condition and `Idempotency-Key`.
  func batchOptions() throws(ServiceError) -> BatchOptions {
    var options = try listOptions()
    if let condition = try condition() { options.condition = condition }
    if let idempotency = try idempotency() { options.idempotency = idempotency }
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

  /// Finds out what the head tells of a change that would be refused whatever its content.
  ///
  /// Not at which revision: who asks again with the same key is told what happened the first time.
  ///
  /// - Throws: What would be thrown when the content is there; and what has to be waited for.
  func checkHead() throws(ServiceError) {
    if path.value(of: "session") != nil {
      let session = try session()
      _ = try batchOptions()
      _ = try service.session(session, expectedRevision: nil)
    } else if path.value(of: "tree") != nil {
      let tree = try tree()
      _ = try treeOptions()
      _ = try service.tree(tree, expectedRevision: nil)
    } else {
      _ = try idempotencyToken()
    }
  }

  /// The revisions at which a change may be made (`If-Match` and `If-None-Match`, RFC 9110, 13.1);
  /// nil for any.
  func condition() throws(ServiceError) -> RevisionCondition? {
    guard required != nil || request.has(.ifNoneMatch) else { return nil }
    return RevisionCondition(
      required: required,
      excluded: try request.revisions(.ifNoneMatch, \.opaqueTags)
    )
  }

  /// Returns what identifies a request that may be repeated (`Idempotency-Key`).
  ///
  /// A JSON body counts by its value, and any other body by its bytes.
  func idempotency() throws(ServiceError) -> IdempotencyKey? {
    guard let token = try idempotencyToken() else { return nil }
    var fingerprint = beginFingerprint()
    if let value = JSONFingerprint.value(of: request.body, maxDepth: limits.maxBodyDepth) {
      fingerprint.add(value)
    } else {
      fingerprint.add(request.body)
    }
    return IdempotencyKey(token: token, fingerprint: fingerprint.value)
  }

  /// The token that names the request.
  ///
  /// What is below a session is one client's. Elsewhere callers with different keys know nothing of
  /// each other's tokens, which therefore begin with the id of the key and a space, as neither has
  /// one (draft-ietf-httpapi-idempotency-key-header).
  func idempotencyToken() throws(ServiceError) -> [UInt8]? {
    guard request.has(.idempotencyKey),
      let token = request.fields.combinedValue(.idempotencyKey)
    else { return nil }
    guard 1...255 ~= token.count, token.allSatisfy({ 0x21...0x7e ~= $0 }) else {
      throw ServiceError(
        .invalidRequest,
        "Idempotency-Key must be 1 to 255 visible ASCII characters, and come once."
      )
    }
    guard path.value(of: "session") == nil, context.access.asksForKeys else { return token }
    guard let caller = context.access.keyID(of: request) else {
      throw ServiceError(
        .overloaded,
        "The keys of the service were replaced meanwhile; send the request again."
      )
    }
    return Array(caller.utf8) + [UInt8(ascii: " ")] + token
  }

  /// Returns a fingerprint of the method, the path and the query, to which the body is to be added.
  ///
  /// The order of the query parameters makes no difference.
  func beginFingerprint() -> Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.add(request.method.rawValue.utf8)
    // No part of a target has a NUL, which therefore ends each part.
    let target = request.target
    for index in 0..<target.segmentCount {
      fingerprint.add("\0/".utf8)
      fingerprint.add(target.segment(at: index))
    }
    for (parameter, value) in query.sorted {
      fingerprint.add("\0?\(parameter.rawValue)=".utf8)
      fingerprint.add(value)
    }
    fingerprint.add("\0 ".utf8)
    return fingerprint
  }
}

extension Request {
  /// The revisions that a field names; nil if it is absent.
  ///
  /// A tag that is no revision's matches none. Of what is read, an `If-None-Match` that makes no
  /// sense is passed over; here it may have been meant to prevent something.
  func revisions(
    _ name: FieldName,
    _ tags: (EntityTagList) -> [ArraySlice<UInt8>]
  ) throws(ServiceError) -> RevisionCondition.Revisions? {
    guard has(name) else { return nil }
    guard let list = EntityTagList(fields, name) else {
      throw ServiceError(
        .invalidRequest,
        "\(name) must be * or revisions in quotes, such as \"12\"."
      )
    }
    return RevisionCondition.Revisions(list, tags)
  }
}

extension RevisionCondition.Revisions {
  /// Those that tags name, all of them by default; one that is no revision's names none.
  init(_ list: EntityTagList, _ tags: (EntityTagList) -> [ArraySlice<UInt8>] = \.opaqueTags) {
    self =
      list.isAny ? .any : .oneOf(tags(list).compactMap { Query.revision(writtenAs: $0) })
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
