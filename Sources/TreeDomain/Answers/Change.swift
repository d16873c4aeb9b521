public import TreeEngine

/// One entry of a change list: a row, a run of neighbouring rows that fared alike, or a section.
public struct Change: Equatable, Sendable {
  /// What happened to the rows, or to the section.
  public enum Kind: Equatable, Sendable {
    /// They are gone.
    case delete(index: Int)
    /// They are new.
    case insert(newIndex: Int)
    /// They have another place.
    case move(index: Int, newIndex: Int)
    /// They read differently.
    case update(index: Int, newIndex: Int, ChangeList.UpdatedFields)
    /// A section is gone; the index is its place among the sections before. `isNameless` tells that
    /// its rows are those of a tree without sections now.
    case deleteSection(ByteSlice, index: Int, isNameless: Bool = false)
    /// A section is new, or is shown for the first time.
    case insertSection(SectionInsertion)
    /// A section has another place.
    case moveSection(ByteSlice, index: Int, newIndex: Int)
    /// A section that stays reads differently.
    case updateSection(SectionUpdate)
  }

  /// A section that was not shown before.
  public struct SectionInsertion: Equatable, Sendable {
    /// The name.
    public var section: ByteSlice
    /// Its place among the sections after.
    public var newIndex: Int
    /// Whether its roots are shown.
    public var isExpanded: Bool
    /// Whether it is the nameless one, which had the roots of a tree without sections.
    public var wasNameless: Bool

    /// Makes an insertion.
    public init(section: ByteSlice, newIndex: Int, isExpanded: Bool, wasNameless: Bool = false) {
      self.section = section
      self.newIndex = newIndex
      self.isExpanded = isExpanded
      self.wasNameless = wasNameless
    }
  }

  /// How a section reads differently.
  public struct SectionUpdate: Equatable, Sendable {
    /// The name it has now.
    public var section: ByteSlice
    /// Its place among the sections before.
    public var index: Int
    /// Its place among the sections after.
    public var newIndex: Int
    /// The name it had before, if that was another.
    public var from: ByteSlice?
    /// Whether its roots are shown now.
    public var isExpanded: Bool
    /// Whether that is new.
    public var hasChangedExpansion: Bool
    /// True if the section has another place, too, which the same entry tells.
    public var isMoved = false

    /// Makes an update.
    public init(
      section: ByteSlice,
      index: Int,
      newIndex: Int,
      from: ByteSlice?,
      isExpanded: Bool,
      hasChangedExpansion: Bool
    ) {
      self.section = section
      self.index = index
      self.newIndex = newIndex
      self.from = from
      self.isExpanded = isExpanded
      self.hasChangedExpansion = hasChangedExpansion
    }
  }

  /// Where rows are, or were, in a tree with sections.
  public struct SectionPlace: Equatable, Sendable {
    /// The name of the section, at the time that is spoken of.
    public var section: ByteSlice
    /// The place among the sections, at that time.
    public var index: Int
    /// The index of the first row inside the section.
    public var row: Int

    /// Makes a place.
    public init(section: ByteSlice, index: Int, row: Int) {
      self.section = section
      self.index = index
      self.row = row
    }
  }

  /// The key and the place in the tree of a row, or the place of several that share it.
  public struct Names: Equatable, Sendable {
    /// The row's key; `nil` where there are several.
    public var key: ByteSlice?
    /// The depth after; only inserts and moves write it, and the parent.
    public var depth: Int
    /// The parent's key after; `nil` at a root.
    public var parent: ByteSlice?

    /// Makes the names of a row.
    public init(key: ByteSlice?, depth: Int = 0, parent: ByteSlice? = nil) {
      self.key = key
      self.depth = depth
      self.parent = parent
    }
  }

  /// What happened, and where the first row is.
  public var kind: Kind
  /// How many rows.
  public var count: Int
  /// The key and place of the row; `nil` where the rows share neither.
  public var names: Names?
  /// Where the first row is inside its section, or was if it is gone; `nil` without sections.
  public var place: SectionPlace?
  /// Where the first row of a move was inside its section; `nil` without sections.
  ///
  /// Section by section, also where that of an update was.
  public var formerPlace: SectionPlace?
  /// The members of moved rows that read differently, where that has no entry of its own.
  public var movedFields: ChangeList.UpdatedFields = []
  /// Where in ``BatchAnswer/rows`` the rows are that come along; empty for none.
  public var rows: Range<Int>

  /// Makes an entry without places in sections; those can be set afterwards.
  public init(_ kind: Kind, count: Int = 1, names: Names? = nil, rows: Range<Int> = 0..<0) {
    self.kind = kind
    self.count = count
    self.names = names
    self.rows = rows
  }
}
