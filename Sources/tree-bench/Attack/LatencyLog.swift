import Synchronization

/// The times and statuses of one kind of request, recorded from any thread.
final class LatencyLog: Sendable {
  /// The recorded times and statuses.
  struct Record {
    var times: [Duration] = []
    /// The number of answers by status; 0 stands for a connection that ended without an answer.
    var statuses: [Int: Int] = [:]
    var faults: [String] = []
    /// The beginning of the first refusal of each status.
    var refusals: [Int: String] = [:]

    /// Returns the time that a fraction of the requests, from 0 to 1, does not exceed.
    func percentile(_ part: Double) -> Duration {
      let sorted = times.sorted()
      guard !sorted.isEmpty else { return .zero }
      return sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))]
    }

    /// The statuses as text, such as `200 × 31, 503 × 2`.
    var statusText: String {
      statuses.sorted { $0.key < $1.key }
        .map { ($0.key == 0 ? "no answer" : "\($0.key)") + " × \($0.value)" }
        .joined(separator: ", ")
    }
  }

  let label: String
  private let record = Mutex(Record())

  init(_ label: String) { self.label = label }

  /// Records an answer.
  ///
  /// - Parameters:
  ///   - answer: The answer; nil if there was none.
  ///   - time: The time that it took.
  ///   - interval: The time between two requests of this client. An answer that takes longer counts
  ///     once more for each request that was due meanwhile.
  ///   - fault: A fault in the answer.
  func add(
    _ answer: HTTPClient.Answer?,
    after time: Duration,
    interval: Duration? = nil,
    fault: String? = nil
  ) {
    let status = answer?.status ?? 0
    var faults = fault.map { [$0] } ?? []
    if let answer, !Self.documented.contains(status) {
      faults.append("status \(status): \(answer.text.prefix(300))")
    }
    record.withLock { record in
      record.statuses[status, default: 0] += 1
      if let answer, !answer.isSuccess, record.refusals[status] == nil {
        record.refusals[status] = String(answer.text.prefix(300))
      }
      var missed = time
      repeat {
        record.times.append(missed)
        missed -= interval ?? time
      } while missed > .zero
      if record.faults.count < 10 { record.faults += faults.map { "\(label): \($0)" } }
    }
  }

  /// Returns and removes all records.
  func take() -> Record {
    record.withLock { record in
      defer { record = Record() }
      return record
    }
  }

  /// True if at least one request was recorded.
  var isUsed: Bool { record.withLock { !$0.times.isEmpty } }

  /// The statuses that the API describes.
  private static let documented: Set<Int> = [
    200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416,
    421, 422, 429, 431, 503, 507,
  ]
}
