import JSON
import TreeEngine

extension ChildState {
  /// The state by its name in the contract, as JSON.
  var written: StaticString {
    switch self {
    case .leaf: "\"leaf\""
    case .unloaded: "\"unloaded\""
    case .loading: "\"loading\""
    case .failed: "\"failed\""
    case .loaded: "\"loaded\""
    }
  }
}
