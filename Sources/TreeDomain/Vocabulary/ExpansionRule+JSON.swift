package import JSON
package import TreeEngine

extension ExpansionRule {
  /// Writes the rule: `"all"`, `"none"` or the number of levels.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .all: writer.string("all" as StaticString)
    case .none: writer.string("none" as StaticString)
    case .levels(let levels): writer.integer(levels)
    }
  }
}
