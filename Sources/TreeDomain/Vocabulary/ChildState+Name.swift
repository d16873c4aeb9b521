import JSON
import TreeEngine

extension ChildState {
  /// The name of the state in the contract, as a JSON string.
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
