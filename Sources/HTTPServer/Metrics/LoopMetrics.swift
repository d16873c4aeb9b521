import HTTP

/// The counters of one event loop, written by its thread and read by any.
final class LoopMetrics: Sendable {
  /// A counter without labels.
  enum Figure: Int, CaseIterable {
    case accepted
    case refused
    case inFlight
    case requestBytes
    case answerBytes
    case shed
  }

  /// The method labels: the known methods, and one for all others.
  static let methods = Method.allCases.map(\.rawValue) + ["other"]
  /// The status labels: `none` for no response, the known statuses, and one for all others.
  static let statuses = ["none"] + Status.known.map { String($0.code) } + ["other"]

  /// The index of the label of each status code; code 0 means no response.
  private static let slots: [Int] = {
    var slots = Array(repeating: statuses.count - 1, count: 600)
    slots[0] = 0
    for (index, status) in Status.known.enumerated() { slots[status.code] = index + 1 }
    return slots
  }()
  private static let durationsPerRoute = DurationHistogram.bounds.count + 2

  /// The inclusive upper bounds of the buckets of ``busy``, in nanoseconds.
  static let busyBounds = [
    250_000, 500_000,
    1_000_000, 2_000_000, 5_000_000,
    10_000_000, 20_000_000, 50_000_000,
    100_000_000, 200_000_000, 500_000_000,
    1_000_000_000,
  ]

  private let figures = CounterBank(count: Figure.allCases.count)
  /// The numbers of requests by route, method and status.
  private let requests: CounterBank
  /// The buckets and the sum of the durations, for each route.
  private let durations: CounterBank
  /// The buckets of busy times, followed by the sum of the times.
  private let busyTimes = CounterBank(count: busyBounds.count + 2)

  /// Creates the counters of a loop for a number of route labels.
  init(routes: Int) {
    requests = CounterBank(count: routes * Self.methods.count * Self.statuses.count)
    durations = CounterBank(count: routes * Self.durationsPerRoute)
  }

  /// Counts an exchange that ended at a time in nanoseconds of `Moment`.
  func count(_ exchange: borrowing ExchangeRecord, at end: Int) {
    let method = exchange.method?.place ?? Self.methods.count - 1
    let status = Self.slots[exchange.status?.code ?? 0]
    requests.add(1, at: Self.request(exchange.route.index, method, status))
    let duration = max(end - exchange.begin, 0)
    let base = exchange.route.index * Self.durationsPerRoute
    durations.add(1, at: base + DurationHistogram.bucket(of: duration))
    durations.add(duration, at: base + Self.durationsPerRoute - 1)
    add(exchange.requestBytes, to: .requestBytes)
    add(exchange.answerBytes, to: .answerBytes)
  }

  /// Counts a time in nanoseconds that the loop was busy with one request or wake-up.
  func count(busy time: Int) {
    let bounds = Self.busyBounds
    busyTimes.add(1, at: bounds.firstIndex { time <= $0 } ?? bounds.count)
    busyTimes.add(time, at: bounds.count + 1)
  }

  /// The histogram of busy times: the count of each bucket, and the sum in nanoseconds.
  var busy: (counts: [Int], sum: Int) {
    let buckets = Self.busyBounds.count + 1
    return ((0..<buckets).map { busyTimes[$0] }, busyTimes[buckets])
  }

  /// Adds to a counter without labels.
  func add(_ amount: Int, to figure: Figure) { figures.add(amount, at: figure.rawValue) }

  /// Returns a counter without labels.
  subscript(figure: Figure) -> Int { figures[figure.rawValue] }

  /// Returns the number of requests of a route, method and status, given as indices of labels.
  func requests(_ route: Int, _ method: Int, _ status: Int) -> Int {
    requests[Self.request(route, method, status)]
  }

  /// Returns the histogram of the durations of a route's exchanges.
  func durations(_ route: Int) -> DurationHistogram {
    let base = route * Self.durationsPerRoute
    let buckets = (0...DurationHistogram.bounds.count).map { durations[base + $0] }
    return DurationHistogram(counts: buckets, sum: durations[base + Self.durationsPerRoute - 1])
  }

  private static func request(_ route: Int, _ method: Int, _ status: Int) -> Int {
    (route * methods.count + method) * statuses.count + status
  }
}

extension Method {
  /// The index of the method in ``Method/allCases``.
  fileprivate var place: Int {
    switch self {
    case .get: 0
    case .head: 1
    case .post: 2
    case .put: 3
    case .patch: 4
    case .delete: 5
    case .options: 6
    case .trace: 7
    case .query: 8
    }
  }
}
