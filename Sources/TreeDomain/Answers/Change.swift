package import TreeEngine

/// An entry of a change list: a row, a run of rows with the same kind of change, or a section.
package struct Change: Equatable, Sendable {
  /// The kind of the change.
  package enum Kind: Equatable, Sendable {
    /// Rows were deleted.
    case delete(index: Int)
    /// Rows were inserted.
    case insert(newIndex: Int)
    /// Rows were moved.
    case move(index: Int, newIndex: Int)
    /// The content of rows changed.
    case update(index: Int, newIndex: Int, ChangeList.UpdatedFields)
    /// A section was deleted. `index` is its former index among the sections.
    ///
    /// `isNameless` is true if the tree has no sections any more, and the section's roots remain
    /// without one.
    case deleteSection(ByteSlice, index: Int, isNameless: Bool = false)
    /// A section was inserted, or is listed for the first time.
    case insertSection(SectionInsertion)
    /// A section was moved.
    case moveSection(ByteSlice, index: Int, newIndex: Int)
    /// The name or the expansion of a section changed.
    case updateSection(SectionUpdate)
  }

  /// An inserted section.
  package struct SectionInsertion: Equatable, Sendable {
    /// The name.
    package var section: ByteSlice
    /// The index among the sections after the change.
    package var newIndex: Int
    /// True if its roots are shown.
    package var isExpanded: Bool
    /// True if the tree had no sections before, and the roots without a section are now in this
    /// one.
    package var wasNameless: Bool

    /// Makes an insertion.
    package init(section: ByteSlice, newIndex: Int, isExpanded: Bool, wasNameless: Bool = false) {
      self.section = section
      self.newIndex = newIndex
      self.isExpanded = isExpanded
      self.wasNameless = wasNameless
    }
  }

  /// The changes of a section that remains.
  package struct SectionUpdate: Equatable, Sendable {
    /// The present name.
    package var section: ByteSlice
    /// The former index among the sections.
    package var index: Int
    /// The new index among the sections.
    package var newIndex: Int
    /// The former name, or `nil` if the name did not change.
    package var from: ByteSlice?
    /// True if its roots are shown now.
    package var isExpanded: Bool
    /// True if ``isExpanded`` changed.
    package var hasChangedExpansion: Bool
    /// True if the section was moved as well.
    ///
    /// The same entry reports it.
    package var isMoved = false

    /// Makes an update.
    package init(
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

  /// The place of rows in a tree with sections, before or after the change.
  package struct SectionPlace: Equatable, Sendable {
    /// The name of the section at that time.
    package var section: ByteSlice
    /// The index of the section at that time.
    package var index: Int
    /// The index of the first row inside the section.
    package var row: Int

    /// Makes a place.
    package init(section: ByteSlice, index: Int, row: Int) {
      self.section = section
      self.index = index
      self.row = row
    }
  }

  /// The key, depth and parent of a row.
  ///
  /// For a run: the depth and parent that its rows share.
  package struct Names: Equatable, Sendable {
    /// The row's key; `nil` for several rows.
    package var key: ByteSlice?
    /// The depth after the change.
    ///
    /// Written with the parent for insertions and moves only.
    package var depth: Int
    /// The parent's key after the change; `nil` at a root.
    package var parent: ByteSlice?

    /// Makes the names of a row.
    package init(key: ByteSlice?, depth: Int = 0, parent: ByteSlice? = nil) {
      self.key = key
      self.depth = depth
      self.parent = parent
    }
  }

  /// The kind of the change, with the indexes of the first row.
  package var kind: Kind
  /// The number of rows.
  package var count: Int
  /// The key, depth and parent; `nil` if the rows have none in common.
  package var names: Names?
  /// The place of the first row in its section; the former place for a deletion.
  ///
  /// `nil` without sections.
  package var place: SectionPlace?
  /// The former place of the first row of a move; `nil` without sections.
  ///
  /// In change lists by section, an update has it, too.
  package var formerPlace: SectionPlace?
  /// The changed members of moved rows, unless a separate update reports them.
  package var movedFields: ChangeList.UpdatedFields = []
  /// The range in ``BatchAnswer/rows`` of the included rows.
  ///
  /// Empty for none.
  package var rows: Range<Int>

  /// Makes an entry.
  ///
  /// Places in sections can be set later.
  package init(_ kind: Kind, count: Int = 1, names: Names? = nil, rows: Range<Int> = 0..<0) {
    self.kind = kind
    self.count = count
    self.names = names
    self.rows = rows
  }
}

/// The format of a change list.
package enum ChangeFormat: String, CaseIterable, Sendable {
  /// An entry for each row.
  case rows
  /// Runs of neighbouring rows merged, each with its `count`.
  case ranges
  /// No entries, for a client that needs no list.
  case none
}

/// The origin of the changes in a list.
package enum ChangeOrigin: String, CaseIterable, Sendable {
  /// All changes come from requests of the session itself, or there are none.
  case own
  /// All changes come from other sessions or from batches of the tree.
  case other
  /// Changes come from both.
  case mixed
}
