/// An entry of a change list: a row, or a run of neighbouring rows.
///
/// In an entry about a section, `index` and `newIndex` are places among the sections.
public struct Change<Object: Decodable & Sendable>: Sendable {
  /// A kind of entry.
  public enum Kind: String, Sendable, Codable {
    /// Rows were removed or hidden.
    case delete
    /// Rows appeared.
    case insert
    /// Rows moved.
    case move
    /// Members of rows changed.
    case update
    /// A section was removed.
    case deleteSection
    /// A section was inserted.
    case insertSection
    /// A section moved.
    case moveSection
    /// A section was renamed, expanded or collapsed.
    case updateSection

    /// True if the entry is about a section.
    public var isOfSection: Bool {
      switch self {
      case .delete, .insert, .move, .update: false
      case .deleteSection, .insertSection, .moveSection, .updateSection: true
      }
    }
  }

  /// The kind of the entry.
  public var kind: Kind
  /// The index of the first row before the change; 0 for an insertion.
  public var index: Int
  /// The index of the first row after the change; 0 for a deletion.
  public var newIndex: Int
  /// The number of rows, at least 1.
  public var count: Int
  /// The key of the row; nil for a run.
  public var key: String?
  /// The depth after the change; nil if it differs in a run, or is not given.
  public var depth: Int?
  /// The parent's key after the change; nil for a root, and if the depth is nil.
  public var parent: String?
  /// The section after the change; for a deletion, the section before.
  public var section: String?
  /// The changed members of an updated row or section.
  public var fields: [String]
  /// The rows themselves, from the first on, as many as the request asked for.
  public var rows: [Row<Object>]
  /// The places in sections; nil unless the request asked for `sections`.
  public var places: SectionPlaces?
}

/// The places of a row in sections, before and after a change.
public struct SectionPlaces: Sendable, Hashable {
  /// A place: a section among the sections, and a row in it.
  public struct Place: Sendable, Hashable {
    /// The index of the section.
    public var section: Int
    /// The index of the row in the section.
    public var row: Int

    /// Makes a place.
    public init(section: Int, row: Int) {
      self.section = section
      self.row = row
    }
  }

  /// The place before; for an insertion, the place after.
  public var old: Place
  /// The place after; for a deletion, the place before.
  public var new: Place
}

extension Change: Decodable {
  private enum CodingKeys: String, CodingKey {
    case type, index, newIndex, count, key, depth, parent, section, fields, row, rows
    case sectionIndex, sectionRow, fromSectionIndex, fromSectionRow
  }

  /// Decodes an entry of a change list.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    kind = try members.decode(Kind.self, forKey: .type)
    index = try members.decodeIfPresent(Int.self, forKey: .index) ?? 0
    newIndex = try members.decodeIfPresent(Int.self, forKey: .newIndex) ?? 0
    count = try members.decodeIfPresent(Int.self, forKey: .count) ?? 1
    key = try members.decodeIfPresent(String.self, forKey: .key)
    depth = try members.decodeIfPresent(Int.self, forKey: .depth)
    parent = try members.decodeIfPresent(String.self, forKey: .parent)
    section = try members.decodeIfPresent(String.self, forKey: .section)
    fields = try members.decodeIfPresent([String].self, forKey: .fields) ?? []
    if let row = try members.decodeIfPresent(Row<Object>.self, forKey: .row) {
      rows = [row]
    } else {
      rows = try members.decodeIfPresent([Row<Object>].self, forKey: .rows) ?? []
    }
    func place(_ section: CodingKeys, _ row: CodingKeys) throws -> SectionPlaces.Place? {
      guard let section = try members.decodeIfPresent(Int.self, forKey: section),
        let row = try members.decodeIfPresent(Int.self, forKey: row)
      else { return nil }
      return SectionPlaces.Place(section: section, row: row)
    }
    places = try place(.sectionIndex, .sectionRow).map { new in
      SectionPlaces(old: try place(.fromSectionIndex, .fromSectionRow) ?? new, new: new)
    }
  }
}
