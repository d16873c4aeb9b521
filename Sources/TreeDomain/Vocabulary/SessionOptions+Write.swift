public import JSON

extension SessionOptions {
  /// Writes all options as an object.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeAllMembers(to: &writer)
    writer.endObject()
  }

  /// Writes all options as members of an open object.
  func writeAllMembers(to writer: inout JSONWriter) {
    writer.name("expansion")
    expansion.write(to: &writer)
    writeMembers(to: &writer)
    writer.name("sort")
    sort.write(to: &writer)
  }

  /// Writes what is said besides expansion and sort, as members of an open object.
  func writeMembers(to writer: inout JSONWriter) {
    writer.name("order")
    writer.string(order.rawValue)
    writer.name("filter")
    if let filter { filter.write(to: &writer) } else { writer.null() }
    writer.name("selection")
    writer.string(selection.rawValue)
    writer.name("nestedExpansion")
    writer.string(nestedExpansion.rawValue)
    writer.name("accordion")
    writer.boolean(accordion)
    writer.name("idleTimeoutSeconds")
    writer.integer(idleTimeoutSeconds)
  }
}
