import HTTP
import JSON
import TreeDomain

// What a client says of the versions of what it reads (RFC 9110, 13).
extension Call {
  /// Answers with something that was read from a session or a tree.
  ///
  /// Its tag is the revision, so what a client already has at that revision is not sent again. It
  /// was read nevertheless: a client may name the revision for what is not there, which must remain
  /// an error (RFC 9110, 13.2.1).
  func answer(at revision: Revision, _ write: (inout JSONWriter) -> Void) -> Response {
    if let unsent = unsent(at: revision) { return unsent }
    var writer = JSONWriter()
    write(&writer)
    return Response(.ok, fields: fields(at: revision, isJSON: true), body: writer.finish())
  }

  /// The same for what was written while it was read.
  func answer(at revision: Revision, written content: [UInt8]) -> Response {
    unsent(at: revision)
      ?? Response(.ok, fields: fields(at: revision, isJSON: true), body: content)
  }

  /// The revisions of which the client has the answer already (`If-None-Match`).
  ///
  /// A field that makes no sense is passed over, as only something is read.
  var heldRevisions: RevisionCondition.Revisions? {
    guard request.fields.contains(.ifNoneMatch) else { return nil }
    return EntityTagList(request.fields, .ifNoneMatch).map { RevisionCondition.Revisions($0) }
  }

  /// The answer to a client that is not to get what there is at a revision, as it wanted another
  /// one or has this one; nil if it is (RFC 9110, 13.2.2).
  func unsent(at revision: Revision) -> Response? {
    refusal(at: revision) ?? notModified(since: revision)
  }

  /// The answer to a client that wants no revision but others (`If-Match`); nil if it takes this.
  ///
  /// - Parameter revision: Where what is read is; nil where it has no revision.
  /// - Returns: The answer, 412.
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

  /// The answer to a client that has what there is at a revision (`If-None-Match`); nil if it has
  /// not.
  ///
  /// It names the tag under which the client has it.
  private func notModified(since revision: Revision) -> Response? {
    guard request.fields.contains(.ifNoneMatch) else { return nil }
    let list = EntityTagList(request.fields, .ifNoneMatch)
    return list?.coding(ofHeld: String(revision.number).utf8, by: request.codings).map {
      Response(.notModified, fields: fields(at: revision, coded: $0))
    }
  }
}
