import TestSupport

/// The model playing the service: answers in the contract's form, wrong where a test asks for it.
final class ModelService: SessionUnderTest {
  /// What a test spoils in the answers to batches.
  typealias Sabotage = (inout ChangeList) -> Void

  private let session: ModelSession
  private let sabotage: Sabotage
  private let spoilRead: (String) -> String
  private var revision = 0
  private var treeRevision = 0

  init(
    options: [UInt8],
    sabotage: @escaping Sabotage = { _ in },
    spoilRead: @escaping (String) -> String = { $0 }
  ) throws {
    session = try ModelSession(try ModelReader.options(options))
    self.sabotage = sabotage
    self.spoilRead = spoilRead
  }

  func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8]) {
    let before = session.rows
    let operations = try ModelReader.batch(body)
    let outcome: ModelOutcome
    do {
      outcome = try session.apply(operations)
    } catch {
      return problem(error.code.rawValue, error.code.status, operation: error.operation)
    }
    let reference = ReferenceChangeList(
      before: before,
      after: session.rows,
      relocated: outcome.relocated
    )
    var list = reference.list(
      ranges: query.contains("changes=ranges"),
      includeRows: query.contains("include=rows")
    )
    list.previousRevision = revision
    revision += outcome.stateChanged || outcome.ruleChanged ? 1 : 0
    treeRevision += outcome.treeChanged ? 1 : 0
    list.revision = revision
    list.treeRevision = treeRevision
    list.rowCount = session.rows.count
    list.nodeCount = session.nodeCount
    sabotage(&list)
    return (200, list.json)
  }

  func get(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let answer = try read(path)
    let text = String(decoding: answer.body, as: UTF8.self)
    return (answer.status, Array(spoilRead(text).utf8))
  }

  private func read(_ path: String) throws -> (status: Int, body: [UInt8]) {
    let halves = path.split(separator: "?", maxSplits: 1)
    let segments = halves.first.map { $0.split(separator: "/").map(String.init) } ?? []
    let query = ModelQuery(halves.count > 1 ? String(halves[1]) : "")
    switch (segments.first, segments.count) {
    case (nil, _): return (200, JSONText.object(counts))
    case ("rows", 1): return page(query)
    case ("rows", _): return single(Int(segments[1]).flatMap { row(at: $0) })
    case ("children", _): return children(nil, query)
    default: break
    }
    let key = ModelQuery.decoded(segments[1])
    guard let row = session.row(of: key), let ancestors = session.ancestors(of: key) else {
      return problem("node-not-found", 404)
    }
    switch segments.last {
    case "children" where segments.count == 3: return children(key, query)
    case "ancestors" where segments.count == 3:
      return (200, JSONText.object([("ancestors", pathJSON(ancestors))]))
    default: return single(row)
    }
  }

  private func page(_ query: ModelQuery) -> (status: Int, body: [UInt8]) {
    guard query.isValid else { return problem("invalid-request", 400) }
    let rows = session.rows
    var (offset, limit) = (query.integer("offset") ?? 0, query.integer("limit") ?? 100)
    if let around = query.values["around"].map(ModelQuery.decoded) {
      guard let row = session.row(of: around) else { return problem("node-not-found", 404) }
      guard let index = row.index else { return problem("node-not-visible", 404) }
      offset = max(0, index - (query.integer("before") ?? 0))
      limit = index + (query.integer("after") ?? 0) + 1 - offset
    }
    guard offset <= rows.count else { return problem("range-not-satisfiable", 416) }
    let fields = query.values["fields"]?.split(separator: ",").map(String.init)
    let page = rows.dropFirst(offset).prefix(limit)
    let ancestors = page.first.flatMap { session.ancestors(of: $0.key) } ?? []
    let lines = page.map { $0.json(fields: fields ?? ModelRow.fieldNames) }
    return (
      200,
      JSONText.object(
        counts + [
          ("offset", JSONText.number(offset)), ("ancestors", pathJSON(ancestors)),
          ("rows", JSONText.array(lines)),
        ]
      )
    )
  }

  private func children(_ key: ModelKey?, _ query: ModelQuery) -> (status: Int, body: [UInt8]) {
    let nodes = session.children(of: key) ?? []
    let count = key == nil ? nodes.count : key.flatMap(session.row)?.childCount
    let offset = query.integer("offset") ?? 0
    guard offset <= nodes.count else { return problem("range-not-satisfiable", 416) }
    let range = nodes.dropFirst(offset).prefix(query.integer("limit") ?? 100)
    return (
      200,
      JSONText.object([
        ("parent", JSONText.key(key)), ("childCount", JSONText.number(count)),
        ("offset", JSONText.number(offset)), ("nodes", JSONText.array(range.map { $0.json() })),
      ])
    )
  }

  private var counts: [(String, [UInt8])] {
    [
      ("revision", JSONText.number(revision)), ("treeRevision", JSONText.number(treeRevision)),
      ("rowCount", JSONText.number(session.rows.count)),
      ("nodeCount", JSONText.number(session.nodeCount)),
    ]
  }

  private func row(at index: Int) -> ModelRow? {
    session.rows.indices.contains(index) ? session.rows[index] : nil
  }

  private func single(_ row: ModelRow?) -> (status: Int, body: [UInt8]) {
    row.map { (200, $0.json()) } ?? problem("range-not-satisfiable", 416)
  }

  private func pathJSON(_ ancestors: [ModelRow]) -> [UInt8] {
    JSONText.array(ancestors.map { $0.json(fields: ["key", "index", "depth"]) })
  }

  private func problem(
    _ code: String,
    _ status: Int,
    operation: Int? = nil
  ) -> (status: Int, body: [UInt8]) {
    var members = [
      ("type", JSONText.string("/problems/\(code)")), ("status", JSONText.number(status)),
      ("code", JSONText.string(code)),
    ]
    if let operation { members.append(("operation", JSONText.number(operation))) }
    return (status, JSONText.object(members))
  }
}

/// The parameters of a query, as far as the driver uses them.
private struct ModelQuery {
  var values: [String: String] = [:]

  init(_ text: String) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(halves[0])] = halves.count > 1 ? String(halves[1]) : ""
    }
  }

  func integer(_ name: String) -> Int? {
    values[name].flatMap(Int.init)
  }

  var isValid: Bool {
    let known = ["offset", "limit", "around", "before", "after", "fields"]
    let fields = values["fields"]?.split(separator: ",").map(String.init) ?? []
    let isMixed = values["around"] != nil && (values["offset"] ?? values["limit"]) != nil
    return values.keys.allSatisfy(known.contains) && !isMixed
      && (values["offset"] == nil || (integer("offset") ?? -1) >= 0)
      && (values["limit"] == nil || (1...1000).contains(integer("limit") ?? 0))
      && fields.allSatisfy(ModelRow.fieldNames.contains)
  }

  static func decoded(_ segment: String) -> ModelKey {
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        rest = rest.dropFirst(2)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
      } else {
        bytes.append(byte)
      }
    }
    return ModelKey(bytes: bytes)
  }
}
