/// The purpose of memory that the service holds, as `/metrics` names it.
package enum MemoryKind: String, CaseIterable, Sendable {
  /// The structure of trees: sequences, records, key tables, level indexes.
  case nodes
  /// Keys and objects.
  case content
  /// Sessions that are awake: their records, and what they have expanded.
  case views
  /// Rows of sessions with a filter or an order, and the sequences of nodes in these orders.
  case layers
  /// Selected nodes.
  case selections
  /// Past changes, for `changes?since=`.
  case history
  /// The undo logs of running transactions.
  case transactions
  /// Answers kept for retries.
  case replays
  /// Sessions that sleep.
  case sleepingSessions = "sleeping_sessions"
  /// Events that wait for followers.
  case events
  /// Imports and large batches that were decoded and not applied yet.
  case imports
  /// Memory that exports and snapshots alone hold.
  case snapshots
  /// Changes that wait to be written to storage.
  case commits
  /// Requests that are being received or answered.
  case requests
  /// Answers that are not sent yet.
  case answers
  /// Connections: their state and buffers.
  case connections
}

/// The size of memory by kind, in bytes.
package struct MemoryBytes: Equatable, Sendable {
  private var bytes: [Int]

  /// Makes a value of 0 bytes for each kind.
  package init() { bytes = [Int](repeating: 0, count: MemoryKind.allCases.count) }

  /// The size of the memory of a kind, in bytes.
  package subscript(_ kind: MemoryKind) -> Int {
    get { bytes[kind.place] }
    set { bytes[kind.place] = newValue }
  }

  /// The sum of all kinds, in bytes.
  package var total: Int { bytes.reduce(0, +) }
}

extension MemoryKind {
  /// The index of the kind, from 0.
  var place: Int {
    switch self {
    case .nodes: 0
    case .content: 1
    case .views: 2
    case .layers: 3
    case .selections: 4
    case .history: 5
    case .transactions: 6
    case .replays: 7
    case .sleepingSessions: 8
    case .events: 9
    case .imports: 10
    case .snapshots: 11
    case .commits: 12
    case .requests: 13
    case .answers: 14
    case .connections: 15
    }
  }
}
