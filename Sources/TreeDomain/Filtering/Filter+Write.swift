package import JSON

extension Filter {
  /// Writes the filter as an object, with explicit defaults of predicates.
  ///
  /// The recursion is as deep as the filter, at most ``maxNesting``.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    switch self {
    case .predicate(let predicate): predicate.writeMembers(to: &writer)
    case .all(let filters):
      writer.name("all")
      Filter.write(filters, to: &writer)
    case .any(let filters):
      writer.name("any")
      Filter.write(filters, to: &writer)
    case .not(let filter):
      writer.name("not")
      filter.write(to: &writer)
    }
    writer.endObject()
  }

  private static func write(_ filters: [Filter], to writer: inout JSONWriter) {
    writer.beginArray()
    for filter in filters { filter.write(to: &writer) }
    writer.endArray()
  }
}

extension Predicate {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.name("by")
    subject.write(to: &writer)
    switch test {
    case .equals(let value):
      writer.name("equals")
      writer.raw(value[...])
    case .contains(let text):
      writer.name("contains")
      writer.string(text[...])
    case .startsWith(let text):
      writer.name("startsWith")
      writer.string(text[...])
    case .matches(let pattern):
      writer.name("matches")
      writer.string(pattern[...])
    case .above(let value):
      writer.name("above")
      writer.raw(value[...])
    case .below(let value):
      writer.name("below")
      writer.raw(value[...])
    }
    writer.name("caseSensitive")
    writer.boolean(isCaseSensitive)
  }
}
