import HTTP
import TreeDomain

extension Endpoint {
  /// `GET …/changes`: returns the changes since a revision, at once, by a long poll or as a stream.
  static let followChanges = Endpoint(
    parameters: [.since, .wait, .interval, .changes, .sections, .include, .limit, .fields],
    answerTypes: [.json, .events],
    .answer { call throws(ServiceError) in
      let session = try call.session()
      let options = try call.listOptions()
      let wait = try call.wait()
      guard call.answerType == .json else {
        if let refusal = call.refusal(at: nil) { return .response(refusal) }
        return .later(try EventStream(of: session, options, call))
      }
      guard !call.query.has(.interval) else {
        throw ServiceError(
          .invalidRequest,
          "The query parameter interval is for event streams; leave it out, or send Accept: "
            + "text/event-stream."
        )
      }
      guard let since = try call.query.since() else {
        throw ServiceError(
          .invalidRequest,
          "Name the revision you have as since; only a stream of events can do without."
        )
      }
      let query = ChangesQuery(since: since, options: options)
      let changes = try call.service.changes(of: session, query)
      guard wait > 0, changes.revision == since else { return .response(call.answer(changes)) }
      if let refusal = call.refusal(at: since) { return .response(refusal) }
      return .later(try LongPoll(of: session, query, nothingYet: changes, seconds: wait, call))
    }
  )
}

extension Call {
  /// Returns the response with a list of changes.
  func answer(_ changes: BatchAnswer) -> Response {
    var response = answer(at: changes.revision) { changes.write(to: &$0) }
    // The same URI also serves a stream of events.
    response.fields.append(.vary, "Accept, Prefer")
    if isMinimal(changes.format) { response.fields.append(.preferenceApplied, "return=minimal") }
    return response
  }

  /// Returns `wait`, the time that the request may be held, in seconds.
  fileprivate func wait() throws(ServiceError) -> Int {
    try query.integer(.wait, in: 0...context.options.maxWaitSeconds) ?? 0
  }

  /// Returns the revision in `Last-Event-ID`; nil if the field is absent.
  ///
  /// An invalid value counts as an unknown revision. A browser sends the field by itself, and an
  /// error would make it stop reconnecting.
  func lastEvent() -> Revision? {
    request.fields.value(.lastEventID).map { Query.revision(writtenAs: $0) ?? .unknown }
  }
}

extension FieldName {
  /// The id of the last event that the client received (WHATWG HTML, 9.2.4).
  static let lastEventID = FieldName("Last-Event-ID")
}
