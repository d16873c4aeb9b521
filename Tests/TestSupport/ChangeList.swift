/// A change list read from an answer, without any assumption about its content.
package struct ChangeList: Sendable {
  /// The format of the entries.
  package enum Format: String, Sendable {
    case rows, ranges, none
  }

  /// The kind of an entry.
  package enum Kind: String, Sendable, CaseIterable {
    case delete, insert, move, update
    case deleteSection, insertSection, moveSection, updateSection

    /// True if the entry is about a section and not about rows.
    package var isAboutSection: Bool {
      switch self {
      case .delete, .insert, .move, .update: false
      case .deleteSection, .insertSection, .moveSection, .updateSection: true
      }
    }
  }

  /// An entry for a row, a range of rows, or a section.
  package struct Entry: Sendable {
    /// The kind of the entry.
    package var kind: Kind
    /// The row's key.
    package var key: ModelKey?
    /// The old index of the first row, or of the section.
    package var index: Int?
    /// The new index of the first row, or of the section.
    package var newIndex: Int?
    /// The number of rows; 1 if absent.
    package var count = 1
    /// The depth; nil if absent.
    package var depth: Int?
    /// The parent as JSON, so that `null` differs from absent.
    package var parent: RawJSON?
    /// The name of the section that the entry is about, or that its first row is in.
    package var section: ModelKey?
    /// The index of that section, in a list by sections.
    package var sectionIndex: Int?
    /// The first row's index in its section.
    package var sectionRow: Int?
    /// The name of the section that a moved row was in.
    package var fromSection: ModelKey?
    /// The old index of that section, in a list by sections.
    package var fromSectionIndex: Int?
    /// The index in its section that a moved row had.
    package var fromSectionRow: Int?
    /// The old name of a renamed section.
    package var from: ModelKey?
    /// The new name for the rows of a deleted section.
    package var to: ModelKey?
    /// True if a section is expanded; nil if absent.
    package var expanded: Bool?
    /// The changed fields of an update.
    package var fields: [String]?
    /// The rows included with `include=rows`; nil if absent.
    package var rows: [RawJSON]?

    /// Creates an entry of a kind.
    package init(_ kind: Kind, index: Int? = nil, newIndex: Int? = nil) {
      self.kind = kind
      self.index = index
      self.newIndex = newIndex
    }
  }

  /// The revision before the changes.
  package var previousRevision = 0
  /// The revision after the changes.
  package var revision = 0
  /// The revision of the tree after the changes.
  package var treeRevision = 0
  /// The number of visible rows after the changes.
  package var rowCount = 0
  /// The number of nodes after the changes.
  package var nodeCount = 0
  /// The origin of the changes; `nil` in the answer to a batch.
  package var origin: String?
  /// The format of the entries.
  package var format = Format.rows
  /// The entries, in order.
  package var entries: [Entry] = []
  /// The expanded nodes whose children are not loaded.
  package var unloaded: [ModelKey] = []

  /// An empty change list.
  package init() {}

  /// An error for an answer that is no change list.
  package struct ReadError: Error, CustomStringConvertible {
    /// The cause.
    package let description: String
  }

  /// Reads an answer.
  ///
  /// - Throws: ``ReadError`` if a member is missing or has the wrong type.
  package init(_ json: RawJSON) throws(ReadError) {
    previousRevision = try json.required("previousRevision", \.integer)
    revision = try json.required("revision", \.integer)
    treeRevision = try json.required("treeRevision", \.integer)
    rowCount = try json.required("rowCount", \.integer)
    nodeCount = try json.required("nodeCount", \.integer)
    origin = try json.optional("origin", \.string)
    format = try json.required("format") { $0.string.flatMap(Format.init) }
    if format == .none {
      guard json["changes"] == nil else { throw ReadError(description: "there are changes") }
    } else {
      for entry in try json.required("changes", \.elements) { entries.append(try Entry(entry)) }
    }
    unloaded = try json.optional("unloaded", \.elements)?.compactMap(\.key) ?? []
  }
}

extension ChangeList.Entry {
  private static let known: Set = [
    "type", "key", "index", "newIndex", "count", "depth", "parent", "fields", "row", "rows",
    "section", "sectionRow", "fromSection", "fromSectionRow", "sectionIndex", "fromSectionIndex",
    "from", "to", "expanded",
  ]

  fileprivate init(_ json: RawJSON) throws(ChangeList.ReadError) {
    self.init(try json.required("type") { $0.string.flatMap(ChangeList.Kind.init) })
    key = try json.optional("key", \.key)
    index = try json.optional("index", \.integer)
    newIndex = try json.optional("newIndex", \.integer)
    count = try json.optional("count", \.integer) ?? 1
    depth = try json.optional("depth", \.integer)
    parent = json["parent"]
    section = try json.optional("section", \.key)
    sectionRow = try json.optional("sectionRow", \.integer)
    fromSection = try json.optional("fromSection", \.key)
    fromSectionRow = try json.optional("fromSectionRow", \.integer)
    sectionIndex = try json.optional("sectionIndex", \.integer)
    fromSectionIndex = try json.optional("fromSectionIndex", \.integer)
    from = try json.optional("from", \.key)
    to = try json.optional("to", \.key)
    expanded = try json.optional("expanded", \.bool)
    fields = try json.optional("fields", \.elements)?.compactMap(\.string)
    rows = try json.optional("rows", \.elements) ?? json["row"].map { [$0] }
    if let unknown = json.memberNames.first(where: { !Self.known.contains($0) }) {
      throw ChangeList.ReadError(description: "an entry has an unknown member \(unknown)")
    }
  }
}

extension RawJSON {
  fileprivate func required<Value>(
    _ name: String,
    _ read: (RawJSON) -> Value?
  ) throws(ChangeList.ReadError) -> Value {
    guard let value = self[name].flatMap(read) else {
      throw ChangeList.ReadError(description: "no usable member \(name) in \(text)")
    }
    return value
  }

  fileprivate func optional<Value>(
    _ name: String,
    _ read: (RawJSON) -> Value?
  ) throws(ChangeList.ReadError) -> Value? {
    self[name] == nil ? nil : try required(name, read)
  }
}
