import HTTP
import Synchronization

/// The counters of requests to other servers.
final class UpstreamMetrics: Sendable {
  /// The label of an outcome.
  enum Outcome: String, CaseIterable {
    case answered
    case unreachable
    case unknown
    case cut
    case cancelled
  }

  /// The number of open connections.
  let connections = SharedCount()
  private let outcomes = CounterBank(count: Outcome.allCases.count)

  /// Counts a request that is over.
  ///
  /// Must always be called on the same thread.
  func count(_ outcome: Outcome) { outcomes.add(1, at: outcome.place) }

  /// Writes the current values.
  func write(to writer: inout MetricsWriter) {
    writer.begin(
      "tree_server_forwarded_requests_total",
      .counter,
      "Requests that were forwarded to another instance and are over, by what came of them."
    )
    for outcome in Outcome.allCases {
      writer.sample([("outcome", outcome.rawValue)], outcomes[outcome.place])
    }
    writer.write(
      "tree_server_upstream_connections_open",
      .gauge,
      connections.current,
      "Connections to other instances that are open or being established."
    )
  }
}

extension UpstreamMetrics.Outcome {
  /// Creates the outcome for the ending of an exchange.
  init(_ ending: ForwardedNews.Ending) {
    self =
      switch ending {
      case .whole: .answered
      case .undone: .unreachable
      case .unknown: .unknown
      case .cut: .cut
      }
  }

  /// The index of the outcome's counter.
  fileprivate var place: Int {
    switch self {
    case .answered: 0
    case .unreachable: 1
    case .unknown: 2
    case .cut: 3
    case .cancelled: 4
    }
  }
}
