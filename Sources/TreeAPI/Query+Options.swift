import JSON
import TreeDomain

/// The values of `include`.
private enum Inclusion: String, CaseIterable {
  case rows
}

/// The values of a Boolean parameter.
private enum Truth: String, CaseIterable {
  case `true`, `false`
}

extension Query {
  /// The allowed numbers of rows or children in one page.
  static let pageSizes = 1...1_000
  private static let defaultPageSize = 100
  private static let defaultMatches = 20
  private static let defaultBefore = 20
  private static let defaultAfter = 40

  /// Returns `limit`, or its default.
  func limit() throws(ServiceError) -> Int {
    try integer(.limit, in: Self.pageSizes) ?? Self.defaultPageSize
  }

  /// Returns `revision`, at which the client expects the session or tree.
  func revision() throws(ServiceError) -> Revision? {
    try integer(.revision).map { Revision(UInt64($0)) }
  }

  /// Returns `since`, the revision that the client has.
  func since() throws(ServiceError) -> Revision? {
    try integer(.since).map { Revision(UInt64($0)) }
  }

  /// Returns `interval`, the minimum time between two events in milliseconds; 0 if it was not
  /// given.
  func interval() throws(ServiceError) -> Int {
    try integer(.interval, in: 0...60_000) ?? 0
  }

  /// Returns `fields`, or all fields if it was not given.
  func fields() throws(ServiceError) -> RowFields {
    guard let list = self[.fields] else { return .all }
    return try RowFields(list: list)
  }

  /// Returns `fields`; nil if it was not given.
  func givenFields() throws(ServiceError) -> RowFields? {
    guard has(.fields) else { return nil }
    return try fields()
  }

  /// Returns the query for the ancestors of a row, from `ancestors` and `fields`.
  func ancestors() throws(ServiceError) -> AncestorQuery {
    AncestorQuery(limit: try integer(.ancestors) ?? .max, fields: try givenFields())
  }

  /// Returns the options of a read, from `fields` and `revision`.
  func readOptions() throws(ServiceError) -> ReadOptions {
    ReadOptions(fields: try fields(), expectedRevision: try revision())
  }

  /// Returns the range of positions that `offset` and `limit` select.
  func positions() throws(ServiceError) -> Range<Int> {
    let offset = try integer(.offset) ?? 0
    return offset..<(offset + (try limit()))
  }

  /// Returns the query for the children of a node, or for the roots, from `offset`, `limit`,
  /// `section`, `fields` and `revision`.
  func children(of parent: [UInt8]?) throws(ServiceError) -> ChildrenQuery {
    ChildrenQuery(of: parent, section: section, try positions(), try readOptions())
  }

  /// Returns the page of rows, by `offset` and `limit`, or by `around`, `before` and `after`.
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

  /// Returns the options of a batch: `changes`, `sections`, `include`, `limit`, `fields`, `dryRun`.
  ///
  /// `limit` and `fields` have no effect without `include`. They are accepted nevertheless, so that
  /// a client may use the same query for all its batches.
  func batchOptions() throws(ServiceError) -> BatchOptions {
    var options = BatchOptions()
    if isEmpty { return options }
    options.format = try changeFormat() ?? .rows
    options.isSectioned = try word(.sections, of: Truth.self) == .true
    let limit = try limit()
    options.includedRows = try word(.include, of: Inclusion.self) == .rows ? limit : 0
    options.fields = try fields()
    options.isDryRun = try isDryRun()
    return options
  }

  /// Returns `changes`, the form of a change list; `nil` if it was not given.
  func changeFormat() throws(ServiceError) -> ChangeFormat? {
    try word(.changes, of: ChangeFormat.self)
  }

  /// Returns `dryRun`: true to return the result without changing anything.
  func isDryRun() throws(ServiceError) -> Bool {
    try word(.dryRun, of: Truth.self) == .true
  }

  /// The value of `section`, a section's name.
  var section: [UInt8]? { self[.section].map(Array.init) }

  /// Returns `parent`, the key of the node whose children are read; nil for the roots.
  func parent() throws(ServiceError) -> [UInt8]? {
    guard let key = self[.parent] else { return nil }
    guard !key.isEmpty else { throw refusal(.parent, "the key of a node") }
    try refuse([.section], "goes with the roots; give that or parent")
    return Array(key)
  }

  /// Returns the search query, from `q`, `by`, `after`, `limit`, `fields` and `count`.
  func search() throws(ServiceError) -> SearchQuery {
    guard let sought = self[.q], 1...Search.maxQueryBytes ~= sought.count else {
      throw refusal(.q, "given, in 1 to \(Search.maxQueryBytes) bytes")
    }
    let limit = try integer(.limit, in: Self.pageSizes) ?? Self.defaultMatches
    let search = Search(Array(sought), by: try subject())
    return SearchQuery(
      search,
      after: self[.after].map(Array.init),
      limit: limit,
      fields: try fields(),
      isCounting: try word(.count, of: Truth.self) == .true
    )
  }

  /// Returns `by`, the part of a node to search in; nil for all parts.
  private func subject() throws(ServiceError) -> SortDescriptor.Subject? {
    guard let written = self[.by] else { return nil }
    if written.elementsEqual("#key".utf8) { return .key }
    guard let pointer = JSONPointer(written) else {
      throw refusal(.by, "a JSON Pointer (RFC 6901), or #key")
    }
    return .value(pointer)
  }

  /// Throws if parameters are given that cannot be combined with the others.
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
