import HTTP
import TreeDomain

// Reading of visible rows, and of their changes since a revision.
extension Endpoint {
  /// `GET …/rows`: reads a page of visible rows.
  static let listRows = Endpoint(
    parameters: [
      .offset, .limit, .around, .before, .after, .fields, .ancestors, .since, .changes, .revision,
    ]
  ) { call throws(ServiceError) in
    var query = RowQuery(
      try call.query.window(),
      fields: try call.query.fields(),
      expectedRevision: try call.query.revision(),
      heldRevisions: call.heldRevisions
    )
    query.ancestors = try call.query.ancestors()
    query.since = try call.query.since()
    if let format = try call.query.changeFormat() {
      guard query.since != nil else {
        throw ServiceError(
          .invalidRequest,
          "The query parameter changes gives the form of the changes since a revision; name that "
            + "as since, or leave changes out."
        )
      }
      query.changeFormat = format
    }
    let page = try call.service.rows(of: try call.session(), query)
    return call.answer(at: page.revision, written: page.text)
  }

  /// `GET …/rows/{index}`: reads the row at an index.
  static let getRow = Endpoint(
    parameters: [.fields, .revision]
  ) { call throws(ServiceError) in
    let written = call.path["index"]
    guard let index = Query.decimal(written) else {
      throw ServiceError(
        .invalidRequest,
        "The index in the path must be a whole number 0 or more, not \(NameAdvice.quoted(written))."
      )
    }
    let options = try call.query.readOptions()
    let node = try call.service.row(at: index, of: try call.session(), options)
    return call.answer(at: node.revision) { node.write(to: &$0) }
  }

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
