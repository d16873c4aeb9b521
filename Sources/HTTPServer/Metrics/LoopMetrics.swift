import HTTP

/// What one event loop has counted: written by its thread alone, read by anyone.
final class LoopMetrics: Sendable {
  /// A number of its own.
  enum Figure: Int, CaseIterable {
    case accepted
    case refused
    case inFlight
    case requestBytes
    case answerBytes
    case shed
  }

  /// Methods as they are counted: those that are known, and one for all others.
  static let methods = Method.allCases.map(\.rawValue) + ["other"]
  /// Statuses as they are counted: no answer, those there are, and one for all others.
  static let statuses = ["none"] + Status.known.map { String($0.code) } + ["other"]

  /// Where the status of a code is counted; 0 is the code of no answer.
  private static let slots: [Int] = {
    var slots = Array(repeating: statuses.count - 1, count: 600)
    slots[0] = 0
    for (index, status) in Status.known.enumerated() { slots[status.code] = index + 1 }
    return slots
  }()
  private static let durationsPerRoute = DurationHistogram.bounds.count + 2

  /// The bounds between the buckets of ``busy``, in nanoseconds.
  static let busyBounds = [
    250_000, 500_000,
    1_000_000, 2_000_000, 5_000_000,
    10_000_000, 20_000_000, 50_000_000,
    100_000_000, 200_000_000, 500_000_000,
    1_000_000_000,
  ]

  private let figures = CounterBank(count: Figure.allCases.count)
  /// Requests by route, method and status.
  private let requests: CounterBank
  /// Of each route its buckets, and behind them the sum of the durations.
  private let durations: CounterBank
  /// The numbers of times that the loop was busy for so long, and behind them the sum of the times.
  private let busyTimes = CounterBank(count: busyBounds.count + 2)

  /// The counters of a loop, for so many route labels.
  init(routes: Int) {
    requests = CounterBank(count: routes * Self.methods.count * Self.statuses.count)
    durations = CounterBank(count: routes * Self.durationsPerRoute)
  }

  /// Counts an exchange that is over, at a time in the nanoseconds of `Moment`.
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

  /// Counts how long the loop was busy with one request or wake-up, in nanoseconds.
  func count(busy time: Int) {
    let bounds = Self.busyBounds
    busyTimes.add(1, at: bounds.firstIndex { time <= $0 } ?? bounds.count)
    busyTimes.add(time, at: bounds.count + 1)
  }

  /// The numbers of times that the loop was busy for so long, by bucket, and the sum of the times.
  var busy: (counts: [Int], sum: Int) {
    let buckets = Self.busyBounds.count + 1
    return ((0..<buckets).map { busyTimes[$0] }, busyTimes[buckets])
  }

  /// Adds to one of the numbers of its own.
  func add(_ amount: Int, to figure: Figure) { figures.add(amount, at: figure.rawValue) }

  /// One of the numbers of its own.
  subscript(figure: Figure) -> Int { figures[figure.rawValue] }

  /// How many requests of a route had the method and status at these places.
  func requests(_ route: Int, _ method: Int, _ status: Int) -> Int {
    requests[Self.request(route, method, status)]
  }

  /// How long the exchanges of a route took.
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
  /// Its place among all methods.
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
