package import HTTP
import Synchronization

/// The metrics of a server, over all of its event loops.
///
/// They are created before the server, so that its handler can report them.
package final class ServerMetrics: Sendable {
  private struct Sources {
    var labels: [String] = []
    var loops: [LoopMetrics] = []
  }

  /// The lock is taken to set up and to read.
  ///
  /// Counting takes no lock.
  private let sources = Mutex(Sources())
  let connections = SharedCount()
  let held = SharedCount()
  let heldAnswers = SharedCount()

  /// The bytes held for unsent responses.
  package var answerBytes: Int { heldAnswers.current }
  /// The bytes held for unanswered requests.
  package var requestBytes: Int { held.current - heldAnswers.current }
  /// The approximate memory of the connections themselves, in bytes.
  package var connectionBytes: Int { connections.current * Self.bytesPerConnection }

  /// The approximate memory of a connection in bytes, with the cached fields of its last request.
  private static let bytesPerConnection = 3_584

  /// Creates metrics for one server.
  package init() {}

  /// Creates the counters of the event loops, for some route labels.
  ///
  /// Must be called once.
  func open(loops count: Int, labels: [String]) -> [LoopMetrics] {
    sources.withLock { sources in
      precondition(sources.loops.isEmpty, "metrics are those of one server")
      sources.labels = labels
      sources.loops = (0..<count).map { _ in LoopMetrics(routes: labels.count) }
      return sources.loops
    }
  }

  /// Writes the current metrics.
  ///
  /// Safe from any thread. Values are read one after the other while others are still counting.
  ///
  /// - Parameter writer: The destination.
  /// - Complexity: O(loops × routes × methods × statuses), about 10 µs a loop.
  package func write(to writer: inout MetricsWriter) {
    let sources = sources.withLock { $0 }
    let total = { (figure: LoopMetrics.Figure) in
      sources.loops.reduce(0) { $0 + $1[figure] }
    }
    writeRequests(sources.loops, sources.labels, to: &writer)
    writeDurations(sources.loops, sources.labels, to: &writer)
    writeBusyTimes(sources.loops, to: &writer)
    writer.write(
      "tree_server_request_bytes_total",
      .counter,
      total(.requestBytes),
      "Bytes of requests, heads included."
    )
    writer.write(
      "tree_server_answer_bytes_total",
      .counter,
      total(.answerBytes),
      "Bytes of answers, heads included."
    )
    writer.write(
      "tree_server_requests_in_flight",
      .gauge,
      total(.inFlight),
      "Requests that have begun and are not answered, streams included."
    )
    writer.write(
      "tree_server_connections_open",
      .gauge,
      connections.current,
      "Connections that are open."
    )
    writer.write(
      "tree_server_connections_accepted_total",
      .counter,
      total(.accepted),
      "Connections that were accepted, those that were refused then included."
    )
    writer.write(
      "tree_server_connections_refused_total",
      .counter,
      total(.refused),
      "Connections beyond maxConnections, maxConnectionsPerAddress or the descriptors there are."
    )
    writer.write(
      "tree_server_buffered_bytes",
      .gauge,
      held.current,
      "Bytes held of requests that are not answered and of answers that are not sent."
    )
    writer.write(
      "tree_server_requests_shed_total",
      .counter,
      total(.shed),
      "Requests refused because buffered requests and answers held too much memory."
    )
  }

  private func writeRequests(
    _ loops: [LoopMetrics],
    _ labels: [String],
    to writer: inout MetricsWriter
  ) {
    writer.begin(
      "tree_server_requests_total",
      .counter,
      "Requests that are over; status none is one that broke off before its answer."
    )
    for (route, label) in labels.enumerated() {
      for (method, name) in LoopMetrics.methods.enumerated() {
        for (place, status) in LoopMetrics.statuses.enumerated() {
          let count = loops.reduce(0) { $0 + $1.requests(route, method, place) }
          guard count > 0 else { continue }
          writer.sample([("method", name), ("route", label), ("status", status)], count)
        }
      }
    }
  }

  private func writeBusyTimes(_ loops: [LoopMetrics], to writer: inout MetricsWriter) {
    writer.begin(
      "tree_server_loop_busy_seconds",
      .histogram,
      "Times that an event loop was busy with one request or wake-up, and served nobody else."
    )
    let bounds = LoopMetrics.busyBounds
    var (counts, sum) = (Array(repeating: 0, count: bounds.count + 1), 0)
    for busy in loops.map(\.busy) {
      for (index, count) in busy.counts.enumerated() { counts[index] += count }
      sum += busy.sum
    }
    writer.sample([], bounds: bounds, counts: counts, sum: sum)
  }

  private func writeDurations(
    _ loops: [LoopMetrics],
    _ labels: [String],
    to writer: inout MetricsWriter
  ) {
    writer.begin(
      "tree_server_request_duration_seconds",
      .histogram,
      "From the first byte of a request to the last of its answer."
    )
    for (route, label) in labels.enumerated() {
      var all = DurationHistogram()
      for loop in loops { all.add(loop.durations(route)) }
      if all.count > 0 { writer.sample([("route", label)], all) }
    }
  }
}

/// A number that all event loops of a server update and read.
///
/// It synchronizes nothing else. A limit may be exceeded by amounts that loops add simultaneously.
final class SharedCount: Sendable {
  private let count = Atomic(0)

  /// The current number.
  var current: Int { count.load(ordering: .relaxed) }

  /// Adds to the number.
  ///
  /// - Returns: The new number.
  @discardableResult
  func add(_ amount: Int) -> Int { count.add(amount, ordering: .relaxed).newValue }
}
