import TreeDomain

extension Endpoint {
  /// `GET …/rows`: reads a page of visible rows.
  static let listRows = Endpoint(
    parameters: [.offset, .limit, .around, .before, .after, .fields, .ancestors, .revision]
  ) { call throws(ServiceError) in
    var query = RowQuery(
      try call.query.window(),
      fields: try call.query.fields(),
      expectedRevision: try call.query.revision(),
      heldRevisions: call.heldRevisions
    )
    query.ancestors = try call.query.ancestors()
    let page = try call.service.rows(of: try call.session(), query)
    return call.answer(at: page.revision, written: page.text)
  }
}
