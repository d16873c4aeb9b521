import JSON
import TreeDomain

/// What `include` may ask for.
private enum Inclusion: String, CaseIterable {
  case rows
}

/// What `dryRun` may be.
private enum Truth: String, CaseIterable {
  case `true`, `false`
}

extension Query {
  /// How many rows, or children, may be read at once.
  static let pageSizes = 1...1_000
  private static let defaultPageSize = 100
  private static let defaultMatches = 20
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

  /// `since`: the revision the client has.
  func since() throws(ServiceError) -> Revision? {
    try integer(.since).map { Revision(UInt64($0)) }
  }

  /// `interval`: the least time between two events, in milliseconds; 0 if it was not given.
  func interval() throws(ServiceError) -> Int {
    try integer(.interval, in: 0...60_000) ?? 0
  }

  /// `fields`, or all of them.
  func fields() throws(ServiceError) -> RowFields {
    guard let list = self[.fields] else { return .all }
    return try RowFields(list: list)
  }

  /// `fields`; nil where it was not given.
  func givenFields() throws(ServiceError) -> RowFields? {
    guard has(.fields) else { return nil }
    return try fields()
  }

  /// `ancestors` and `fields`: which ancestors of a row are wanted, and what of them.
  func ancestors() throws(ServiceError) -> AncestorQuery {
    AncestorQuery(limit: try integer(.ancestors) ?? .max, fields: try givenFields())
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

  /// Reads how to take and answer a batch: `changes`, `sections`, `include`, `limit`, `fields` and
  /// `dryRun`.
  ///
  /// Without `include` there is nothing that `limit` and `fields` could bound. They are not refused
  /// then, so that a client may ask for all its batches alike.
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

  /// `dryRun`: whether only to tell what would happen.
  func isDryRun() throws(ServiceError) -> Bool {
    try word(.dryRun, of: Truth.self) == .true
  }

  /// `section`: the name of one.
  var section: [UInt8]? { self[.section].map(Array.init) }

  /// `parent`: the key of the node whose children are read; nil for the roots.
  func parent() throws(ServiceError) -> [UInt8]? {
    guard let key = self[.parent] else { return nil }
    guard !key.isEmpty else { throw refusal(.parent, "the key of a node") }
    try refuse([.section], "goes with the roots; give that or parent")
    return Array(key)
  }

  /// `q`, `by`, `after`, `limit`, `fields` and `count`: what to look for.
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

  /// `by`: where in a node to look; nil for everywhere.
  private func subject() throws(ServiceError) -> SortDescriptor.Subject? {
    guard let written = self[.by] else { return nil }
    if written.elementsEqual("#key".utf8) { return .key }
    guard let pointer = JSONPointer(written) else {
      throw refusal(.by, "a JSON Pointer (RFC 6901), or #key")
    }
    return .value(pointer)
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
