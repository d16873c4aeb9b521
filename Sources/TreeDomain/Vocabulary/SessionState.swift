package import JSON
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

extension SessionState {
  /// Writes the state as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("expansion")
    options.expansion.write(to: &writer)
    writer.name("toggledKeys")
    writer.strings(toggledKeys, from: bytes)
    writer.name("selectedKeys")
    writer.strings(selectedKeys, from: bytes)
    writer.name("collapsedSections")
    writer.strings(collapsedSections, from: bytes)
    if let filterExpansion {
      writer.name("filterExpansion")
      filterExpansion.write(to: &writer)
      writer.name("filterToggledKeys")
      writer.strings(filterToggledKeys, from: bytes)
      writer.name("filterCollapsedSections")
      writer.strings(filterCollapsedSections, from: bytes)
    }
    options.writeMembers(to: &writer)
    writer.endObject()
  }
}
