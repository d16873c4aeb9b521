import HTTP
import TreeDomain

extension Call {
  /// Returns the options of a change list, from the query.
  ///
  /// `Prefer` decides if the query names no form.
  func listOptions() throws(ServiceError) -> BatchOptions {
    var options = try query.batchOptions()
    if prefersNoList { options.format = .none }
    return options
  }

  /// True if the client prefers no change list, and its query does not choose a form.
  private var prefersNoList: Bool {
    !query.has(.changes) && request.fields.preferMinimalReturn
  }

  /// Returns true if a format honors the client's preference for no change list.
  func isMinimal(_ format: ChangeFormat) -> Bool { format == .none && prefersNoList }

  /// Returns the fields of a response with a change list, or without one as the client prefers.
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

  /// Returns the options of a batch, from the query, the conditions and `Idempotency-Key`.
  func batchOptions() throws(ServiceError) -> BatchOptions {
    var options = try listOptions()
    if let condition = try condition() { options.condition = condition }
    if let idempotency = try idempotency() { options.idempotency = idempotency }
    return options
  }

  /// Returns the options of a change of a tree, whose response has no rows.
  func treeOptions() throws(ServiceError) -> BatchOptions {
    var options = BatchOptions()
    options.isDryRun = try query.isDryRun()
    options.condition = try condition()
    options.idempotency = try idempotency()
    return options
  }

  /// Checks the head of a request, so that content is not read in vain.
  ///
  /// The revision is not checked, because a retry gets the original response.
  ///
  /// - Throws: The error that the request would get with any content, or the refusal of an attempt
  ///   that would block.
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

  /// Returns the revisions at which a change is allowed (`If-Match` and `If-None-Match`, RFC 9110,
  /// 13.1); nil for any.
  func condition() throws(ServiceError) -> RevisionCondition? {
    guard required != nil || request.has(.ifNoneMatch) else { return nil }
    return RevisionCondition(
      required: required,
      excluded: try request.revisions(.ifNoneMatch, \.opaqueTags)
    )
  }

  /// Returns the identity of a request that may be repeated (`Idempotency-Key`).
  ///
  /// A JSON body is compared by value, any other body by its bytes.
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

  /// Returns the token of `Idempotency-Key`.
  ///
  /// Below a session there is one client. Elsewhere clients with different API keys must not share
  /// tokens (draft-ietf-httpapi-idempotency-key-header). A token is therefore prefixed with the id
  /// of the API key and a space, which neither contains.
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

  /// Returns a fingerprint of the method, the path and the query.
  ///
  /// The body must be added to it.
  ///
  /// The order of query parameters makes no difference.
  func beginFingerprint() -> Fingerprint {
    var fingerprint = Fingerprint()
    fingerprint.add(request.method.rawValue.utf8)
    // No part of a target contains NUL, so it separates the parts.
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
  /// Returns the revisions that a field names; nil if the field is absent.
  ///
  /// A tag that is not a revision matches none. A malformed field is an error, because it may have
  /// been meant to prevent a change.
  func revisions(
    _ name: FieldName,
    _ tags: (EntityTagList) -> [ArraySlice<UInt8>]
  ) throws(ServiceError) -> RevisionCondition.Revisions? {
    guard has(name) else { return nil }
    guard let list = EntityTagList(fields, name) else {
      throw ServiceError(
        .invalidRequest,
        "\(name) must be * or up to \(EntityTagList.maxTags) revisions in quotes, such as \"12\"."
      )
    }
    return RevisionCondition.Revisions(list, tags)
  }
}

extension RevisionCondition.Revisions {
  /// Creates the revisions that tags of a list name.
  ///
  /// Tags that are no revisions are left out.
  init(_ list: EntityTagList, _ tags: (EntityTagList) -> [ArraySlice<UInt8>] = \.opaqueTags) {
    self =
      list.isAny ? .any : .oneOf(tags(list).compactMap { Query.revision(writtenAs: $0) })
  }
}

extension FieldName {
  /// A Boolean value that indicates that the response was given before to the same request.
  static let idempotencyReplayed = FieldName("Idempotency-Replayed")
}

extension Fields {
  /// Appends `Idempotency-Replayed` if the response was given before.
  mutating func record(isReplayed: Bool) {
    if isReplayed { append(.idempotencyReplayed, "true") }
  }
}
