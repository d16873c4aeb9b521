import HTTP
import TestSupport

/// The rows of a session, kept from change lists as "Applying a change list" describes.
///
/// What an answer does not repeat when it follows from other entries is not kept.
struct RowReplica: Sendable {
  /// A row's members by their names, as JSON.
  typealias Row = [String: [UInt8]]

  private(set) var rows: [Row] = []
  /// The revision of the rows.
  private(set) var revision = 0

  /// The members that follow from where a row and its siblings stand.
  private static let derived: Set = [
    "index", "position", "siblingCount", "visibleDescendantCount", "sectionRow",
  ]

  /// Rows as they were read at a revision.
  init(_ rows: [RawJSON] = [], at revision: Int = 0) {
    self.rows = rows.map(Self.row)
    self.revision = revision
  }

  private static func row(_ json: RawJSON) -> Row {
    let names = json.memberNames.filter { !derived.contains($0) }
    return Row(uniqueKeysWithValues: names.map { ($0, json[$0]?.bytes ?? []) })
  }

  /// Applies a change list.
  ///
  /// - Throws: ``WireError`` when it does not go on from the replica's revision, or fits no row.
  mutating func apply(_ list: RawJSON) throws {
    guard list["previousRevision"]?.integer == revision, let next = list["revision"]?.integer,
      let changes = list["changes"]?.elements
    else { throw WireError("this does not go on from revision \(revision): \(list.text)") }
    let sources = changes.filter { ["delete", "move"].contains($0["type"]?.string) }
      .compactMap { $0["index"]?.integer }
    var taken: [Int: Row] = [:]
    for index in sources.sorted(by: >) {
      guard rows.indices.contains(index) else { throw WireError("no row \(index): \(list.text)") }
      taken[index] = rows.remove(at: index)
    }
    for change in changes { try put(change, taken) }
    guard list["rowCount"]?.integer == rows.count else {
      throw WireError("\(rows.count) rows, after \(list.text)")
    }
    revision = next
  }

  private mutating func put(_ change: RawJSON, _ taken: [Int: Row]) throws {
    let type = change["type"]?.string
    // What becomes of sections, rows have entries of their own for.
    guard type != "delete", type?.hasSuffix("Section") == false else { return }
    let news = change["row"].map(Self.row)
    let moved = change["index"]?.integer.flatMap { taken[$0] }
    guard let place = change["newIndex"]?.integer, place <= rows.count,
      var row = type == "move" ? moved : news
    else { throw WireError("of no use: \(change.text)") }
    if type == "update" {
      guard rows.indices.contains(place) else { throw WireError("no row: \(change.text)") }
      rows[place] = row
    } else {
      for name in ["depth", "parent", "section"] { row[name] = change[name]?.bytes }
      rows.insert(row, at: place)
    }
  }

  /// What is wrong with it; nil where it agrees with another one in every row.
  func difference(from truth: RowReplica) -> String? {
    guard revision == truth.revision, rows.count == truth.rows.count else {
      return "\(rows.count) rows at \(revision), not \(truth.rows.count) at \(truth.revision)"
    }
    for (index, (row, right)) in zip(rows, truth.rows).enumerated() where row != right {
      return "row \(index) is \(Self.text(row)), not \(Self.text(right))"
    }
    return nil
  }

  private static func text(_ row: Row) -> String {
    row.sorted { $0.key < $1.key }
      .map { "\($0.key): \(String(decoding: $0.value, as: UTF8.self))" }.joined(separator: ", ")
  }
}

extension RowReplica {
  /// Reads all rows of a session, anew when it changes meanwhile.
  ///
  /// - Parameters:
  ///   - session: The session's path.
  ///   - send: Sends a request and gives its answer.
  static func read(_ session: String, _ send: (Ask) throws -> Answer) throws -> RowReplica {
    while true {
      if let all = try readPages(session, send) { return all }
    }
  }

  private static func readPages(
    _ session: String,
    _ send: (Ask) throws -> Answer
  ) throws -> RowReplica? {
    var rows: [RawJSON] = []
    var pin = ""
    while true {
      let answer = try send(Ask(.get, "\(session)/rows?offset=\(rows.count)&limit=1000\(pin)"))
      if answer.status == 409 { return nil }
      let page = try answer.json()
      guard let revision = page["revision"]?.integer, let found = page["rows"]?.elements else {
        throw WireError("no rows: \(answer.text)")
      }
      rows += found
      if rows.count == page["rowCount"]?.integer { return RowReplica(rows, at: revision) }
      pin = "&revision=\(revision)"
    }
  }
}
