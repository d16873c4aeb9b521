public import TreeEngine

/// One entry of a change list: a row, or a run of neighbouring rows that fared alike.
public struct Change: Equatable, Sendable {
  /// What happened to the rows.
  public enum Kind: Equatable, Sendable {
    /// They are gone.
    case delete(index: Int)
    /// They are new.
    case insert(newIndex: Int)
    /// They have another place.
    case move(index: Int, newIndex: Int)
    /// They read differently.
    case update(index: Int, newIndex: Int, ChangeList.UpdatedFields)
  }

  /// The names that only a single row can have; see ``ChangeFormat``.
  public struct Names: Equatable, Sendable {
    /// The row's key.
    public var key: ByteSlice
    /// The depth after; only inserts and moves write it, and the parent.
    public var depth: Int
    /// The parent's key after; `nil` at a root.
    public var parent: ByteSlice?

    /// Makes the names of a row.
    public init(key: ByteSlice, depth: Int = 0, parent: ByteSlice? = nil) {
      self.key = key
      self.depth = depth
      self.parent = parent
    }
  }

  /// What happened, and where the first row is.
  public var kind: Kind
  /// How many rows.
  public var count: Int
  /// Who the row is; `nil` where there are several.
  public var names: Names?
  /// Where in ``BatchAnswer/rows`` the rows are that come along; empty for none.
  public var rows: Range<Int>

  /// Makes an entry.
  public init(_ kind: Kind, count: Int = 1, names: Names? = nil, rows: Range<Int> = 0..<0) {
    self.kind = kind
    self.count = count
    self.names = names
    self.rows = rows
  }
}
