public import JSON
public import TreeEngine

extension ChildState {
  /// Writes the state by its name in the contract.
  public func write(to writer: inout JSONWriter) {
    switch self {
    case .leaf: writer.string("leaf" as StaticString)
    case .unloaded: writer.string("unloaded" as StaticString)
    case .loading: writer.string("loading" as StaticString)
    case .failed: writer.string("failed" as StaticString)
    case .loaded: writer.string("loaded" as StaticString)
    }
  }
}
