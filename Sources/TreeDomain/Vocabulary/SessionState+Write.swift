package import JSON

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
