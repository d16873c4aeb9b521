import JSON

extension SessionOptions {
  /// Writes the options except expansion and sort as members of an open object.
  func writeMembers(to writer: inout JSONWriter) {
    writer.name("order")
    writer.string(order.rawValue)
    writer.name("viewSort")
    if viewSort.isEmpty { writer.null() } else { viewSort.write(to: &writer) }
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
