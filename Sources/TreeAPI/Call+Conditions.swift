import HTTP
import JSON
import TreeDomain

// Conditional requests (RFC 9110, 13).
extension Call {
  /// Responds with content that was read from a session or a tree at a revision.
  ///
  /// The entity tag is the revision, so content that the client already has is not sent again. The
  /// content is read in any case: a condition on something that does not exist must still be an
  /// error (RFC 9110, 13.2.1).
  func answer(at revision: Revision, _ write: (inout JSONWriter) -> Void) -> Response {
    if let unsent = unsent(at: revision) { return unsent }
    var writer = JSONWriter()
    write(&writer)
    return Response(.ok, fields: fields(at: revision, isJSON: true), body: writer.finish())
  }

  /// As the function above, for content that is already written.
  func answer(at revision: Revision, written content: [UInt8]) -> Response {
    unsent(at: revision)
      ?? Response(.ok, fields: fields(at: revision, isJSON: true), body: content)
  }

  /// The revisions whose content the client already has (`If-None-Match`).
  ///
  /// A malformed field is ignored, because the request only reads.
  var heldRevisions: RevisionCondition.Revisions? {
    guard request.fields.contains(.ifNoneMatch) else { return nil }
    return EntityTagList(request.fields, .ifNoneMatch).map { RevisionCondition.Revisions($0) }
  }

  /// Returns the response that a condition requires instead of the content at a revision, or nil.
  ///
  /// The conditions are evaluated in the order of RFC 9110, 13.2.2.
  func unsent(at revision: Revision) -> Response? {
    refusal(at: revision) ?? notModified(since: revision)
  }

  /// Returns the response if `If-Match` excludes a revision, else nil.
  ///
  /// - Parameter revision: The revision of the content; nil if it has none.
  /// - Returns: A response with status 412.
  func refusal(at revision: Revision?) -> Response? {
    switch required {
    case nil, .any?: return nil
    case .oneOf(let wanted)?: if let revision, wanted.contains(revision) { return nil }
    }
    var error = ServiceError(
      .revisionMismatch,
      revision.map {
        "The revision is \($0.number) now, which If-Match does not name; read without it."
      } ?? "This has no revision that If-Match could name; leave it out."
    )
    error.revision = revision
    return error.response
  }

  /// Returns 304 if `If-None-Match` lists a revision, else nil.
  ///
  /// The response has the entity tag that the client sent for this revision.
  private func notModified(since revision: Revision) -> Response? {
    guard request.fields.contains(.ifNoneMatch) else { return nil }
    let list = EntityTagList(request.fields, .ifNoneMatch)
    return list?.coding(ofHeld: String(revision.number).utf8, by: request.codings).map {
      Response(.notModified, fields: fields(at: revision, coded: $0))
    }
  }
}
