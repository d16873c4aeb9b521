package import TreeEngine

/// The state of a session as a value, from which another session can be made.
package struct SessionState: Equatable, Sendable {
  /// The bytes that all slices refer to.
  package var bytes: [UInt8]
  /// The session's revision at the time of reading.
  ///
  /// 0 for a state given by a client.
  package var revision: Revision
  /// The options.
  ///
  /// ``SessionOptions/sort`` belongs to the tree and not to the state.
  package var options: SessionOptions
  /// The nodes that differ from the rule of ``SessionOptions/expansion``, in tree order.
  package var toggledKeys: [ByteSlice]
  /// The selected nodes, in tree order.
  package var selectedKeys: [ByteSlice]
  /// The names of the collapsed sections, in order.
  package var collapsedSections: [ByteSlice]
  /// The expansion rule under the filter; `nil` without a filter.
  ///
  /// A new session with a filter and without this rule starts with the rule of a new filter.
  package var filterExpansion: ExpansionRule?
  /// The nodes that differ from the rule under the filter, in tree order.
  package var filterToggledKeys: [ByteSlice]
  /// The names of the sections that are collapsed under the filter, in order.
  package var filterCollapsedSections: [ByteSlice]

  /// Makes a state without toggled and selected nodes.
  package init(
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
  package subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
}
