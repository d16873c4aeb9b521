public import TreeEngine

/// What a session shows of its tree, as a value that another session can be made of.
public struct SessionState: Equatable, Sendable {
  /// What all slices point into.
  public var bytes: [UInt8]
  /// The session's revision when it was read; 0 for a state that a client gives.
  public var revision: Revision
  /// The options; ``SessionOptions/sort`` is the tree's and no part of the state.
  public var options: SessionOptions
  /// The nodes that differ from the rule of ``SessionOptions/expansion``, in tree order.
  public var toggledKeys: [ByteSlice]
  /// The selected nodes, in tree order.
  public var selectedKeys: [ByteSlice]
  /// The names of the collapsed sections, in order.
  public var collapsedSections: [ByteSlice]
  /// The rule of the expansion under the filter; `nil` without one, and for that of a new filter.
  public var filterExpansion: ExpansionRule?
  /// The nodes that differ from the rule under the filter, in tree order.
  public var filterToggledKeys: [ByteSlice]
  /// The names of the sections that are collapsed under the filter, in order.
  public var filterCollapsedSections: [ByteSlice]

  /// Makes a state in which nothing was toggled or selected.
  public init(
    bytes: [UInt8] = [],
    revision: Revision = Revision(0),
    options: SessionOptions = SessionOptions()
  ) {
    self.bytes = bytes
    self.revision = revision
    self.options = options
    toggledKeys = []
    selectedKeys = []
    collapsedSections = []
    filterToggledKeys = []
    filterCollapsedSections = []
  }

  /// The bytes of a slice.
  public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}
