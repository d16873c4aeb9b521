import TreeDomain

/// What `include` may ask for.
private enum Inclusion: String, CaseIterable {
  case rows
}

extension Query {
  /// How many rows, or children, may be read at once.
  static let pageSizes = 1...1_000
  private static let defaultPageSize = 100
  private static let defaultBefore = 20
  private static let defaultAfter = 40

  /// `limit`, or its default.
  func limit() throws(ServiceError) -> Int {
    try integer(.limit, in: Self.pageSizes) ?? Self.defaultPageSize
  }

  /// `revision`: the one the client goes by.
  func revision() throws(ServiceError) -> Revision? {
    try integer(.revision).map { Revision(UInt64($0)) }
  }

  /// `fields`, or all of them.
  func fields() throws(ServiceError) -> RowFields {
    guard let list = self[.fields] else { return .all }
    return try RowFields(list: list)
  }

  /// `fields` and `revision`.
  func readOptions() throws(ServiceError) -> ReadOptions {
    ReadOptions(fields: try fields(), expectedRevision: try revision())
  }

  /// `offset` and `limit` as a range of positions.
  func positions() throws(ServiceError) -> Range<Int> {
    let offset = try integer(.offset) ?? 0
    return offset..<(offset + (try limit()))
  }

  /// Which page of rows: by `offset` and `limit`, or by `around`, `before` and `after`.
  func window() throws(ServiceError) -> RowQuery.Window {
    guard let key = self[.around] else {
      try refuse([.before, .after], "go with around; give that, or leave them out")
      let range = try positions()
      return .offset(range.lowerBound, limit: range.count)
    }
    try refuse([.offset, .limit], "do not go with around; use before and after")
    guard !key.isEmpty else { throw refusal(.around, "the key of a node") }
    let most = Self.pageSizes.upperBound
    let before = try integer(.before, in: 0...(most - 1)) ?? Self.defaultBefore
    let after = try integer(.after, in: 0...(most - 1)) ?? Self.defaultAfter
    guard before + 1 + after <= most else {
      throw ServiceError(
        .invalidRequest,
        "The query parameters before and after may be \(most - 1) together, not more."
      )
    }
    return .around(key: Array(key), before: before, after: after)
  }

  /// `changes`, `include` and `limit`: how to answer a batch.
  func batchOptions() throws(ServiceError) -> BatchOptions {
    var options = BatchOptions()
    options.format = try word(.changes, of: ChangeFormat.self) ?? .rows
    if try word(.include, of: Inclusion.self) == .rows {
      options.includedRows = try limit()
    } else {
      try refuse([.limit], "goes with include=rows; give that, or leave it out")
    }
    return options
  }

  /// Refuses parameters that do not go with the others.
  private func refuse(
    _ parameters: [QueryParameter],
    _ reason: String
  ) throws(ServiceError) {
    guard parameters.contains(where: has) else { return }
    let names = parameters.map(\.rawValue).joined(separator: " and ")
    let noun = parameters.count == 1 ? "parameter" : "parameters"
    throw ServiceError(.invalidRequest, "The query \(noun) \(names) \(reason).")
  }
}
