import TreeDomain

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
}
