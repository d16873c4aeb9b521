import Glibc
import Synchronization

/// The environment of an attack: the server, normal users, and the records of all requests.
final class AttackField: Sendable {
  let size: Int
  /// True if the size is one for tests.
  let isSmall: Bool
  let port: UInt16
  private let name: String
  private let server: Mutex<ServerProcess?>
  private let users: NormalUsers
  private let isOver = Atomic(false)
  private let state = Mutex(State())

  private struct State {
    var threads: [ClientThread] = []
    var logs: [LatencyLog] = []
    var faults: [String] = []
    var remarks: [String] = []
    var alone: [LatencyLog.Record] = []
    var keysFolder: String?
  }

  /// Starts the server, unless one is running already, and the normal users.
  init(_ attack: Attack, on target: ServiceTarget, size: Int) {
    (name, self.size) = (attack.name, size)
    isSmall = size <= attack.smallSize
    var settings = attack.settings
    var keysFolder: String?
    if !attack.callers.isEmpty {
      let folder = ServerProcess.makeFolder()
      let lines = (attack.callers + ["users"]).map { "echo \($0):\(Self.key($0))" }
      _ = Shell.run("(\(lines.joined(separator: ";"))) > \(folder)/keys; chmod 600 \(folder)/keys")
      settings += ["--keys-file=\(folder)/keys"]
      keysFolder = folder
    }
    let process = target.port == nil ? ServerProcess(target, settings: settings) : nil
    port = process?.port ?? target.port ?? 0
    server = Mutex(process)
    ownKey = attack.callers.isEmpty ? nil : Self.key("users")
    users = NormalUsers(port, key: ownKey, mark: mark)
    state.withLock { [keysFolder] in $0.keysFolder = keysFolder }
  }

  deinit { state.withLock { if let folder = $0.keysFolder { _ = Shell.run("rm -r \(folder)") } } }

  /// The key of the normal users; nil if the server has no keys.
  let ownKey: String?

  /// Returns the API key of a caller.
  static func key(_ name: String) -> String {
    name + String(repeating: "0", count: max(0, 32 - name.count))
  }

  /// The suffix of all tree names, which lets a running service be attacked more than once.
  let mark = "\(UInt32.random(in: 0...UInt32.max))"

  /// Creates a client.
  func client(_ caller: String? = nil, fields: [String] = []) -> HTTPClient {
    HTTPClient(port, key: caller.map(Self.key) ?? ownKey, fields: fields)
  }

  // MARK: Steps of an attack

  /// Ends the preparation: measures the normal users alone for a moment, and starts their records
  /// anew.
  ///
  /// - Parameter session: The path of a session whose pages one more user reads.
  func begin(reading session: String? = nil) {
    if let session {
      users.read(session, as: log("page of the same tree"))
    }
    let clock = ContinuousClock()
    let start = clock.now
    while !measuredLogs.allSatisfy(\.isUsed), clock.now - start < .seconds(20) { usleep(10_000) }
    _ = measuredLogs.map { $0.take() }
    usleep(isSmall ? 50_000 : 1_000_000)
    let records = measuredLogs.map { $0.take() }
    state.withLock { $0.alone = records }
  }

  /// Starts clients that repeat a request until the attack is over, and waits.
  ///
  /// - Parameters:
  ///   - count: The number of clients.
  ///   - label: The kind of request that is recorded.
  ///   - caller: The name of the caller whose key they have.
  ///   - seconds: The least time that the attack lasts. It lasts until each has had an answer, too.
  ///   - makeRequest: Makes what a client repeats; it gives an answer to record.
  func attack(
    _ count: Int,
    _ label: String = "attack",
    caller: String? = nil,
    for seconds: Int = 5,
    _ makeRequest: @escaping @Sendable (HTTPClient, Int) -> HTTPClient.Answer?
  ) {
    let answered = start(count, label, caller: caller, makeRequest)
    let clock = ContinuousClock()
    let start = clock.now
    let least = isSmall ? Duration.milliseconds(100) : .seconds(seconds)
    while clock.now - start < least || answered.withLock({ $0 < count }) {
      usleep(10_000)
      if clock.now - start > .seconds(isSmall ? 100 : 60) || !isAlive { break }
    }
  }

  /// Starts clients that repeat a request until the attack is over.
  ///
  /// - Returns: The number of those that had an answer.
  @discardableResult
  func start(
    _ count: Int,
    _ label: String,
    caller: String? = nil,
    _ makeRequest: @escaping @Sendable (HTTPClient, Int) -> HTTPClient.Answer?
  ) -> SharedCount {
    let log = log(label)
    let answered = SharedCount()
    let threads = (0..<count).map { number in
      ClientThread { [self] in
        let client = self.client(caller)
        let clock = ContinuousClock()
        var isFirst = true
        while !isOver.load(ordering: .relaxed) {
          let start = clock.now
          let answer = makeRequest(client, number)
          guard !isOver.load(ordering: .relaxed) else { break }
          log.add(answer, after: clock.now - start)
          if isFirst { answered.withLock { $0 += 1 } }
          isFirst = false
          // A client that is refused at once would keep a processor busy by asking again.
          if answer?.isSuccess != true { usleep(1_000) }
        }
        if isFirst { answered.withLock { $0 += 1 } }
      }
    }
    state.withLock { $0.threads += threads }
    return answered
  }

  /// Records the answer and the duration of a request.
  func record(_ label: String, _ answer: HTTPClient.Answer?, _ time: Duration) {
    log(label).add(answer, after: time)
  }

  /// Returns the log of a kind of request, and makes it at the first call.
  private func log(_ label: String) -> LatencyLog {
    state.withLock { state in
      if let log = state.logs.first(where: { $0.label == label }) { return log }
      let log = LatencyLog(label)
      state.logs.append(log)
      return log
    }
  }

  /// Records a mistake of the service, or of the preparation.
  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  /// Records a sentence for the report.
  func remark(_ text: String) { state.withLock { $0.remarks.append(text) } }

  /// The processor time that the server used so far; zero if it runs elsewhere.
  var processorTime: Duration {
    server.withLock { $0.map { .nanoseconds(Int(Processor.time(of: $0.process.number))) } ?? .zero }
  }

  /// True until the server has ended.
  var isAlive: Bool { server.withLock { $0?.isAlive ?? true } }

  private var measuredLogs: [LatencyLog] { users.logs + state.withLock { $0.logs } }
}

extension AttackField {
  /// Ends the attack, and returns the report.
  ///
  /// The normal users are stopped first, then the server while the attackers still run.
  func finish() -> AttackReport {
    var report = AttackReport(name: name, size: size)
    let wasAlive = isAlive
    let metrics = wasAlive ? client().send("GET", "/metrics")?.text ?? "" : ""
    users.stop()
    report.checksum = checksum()
    report.alone = state.withLock { $0.alone }
    report.isKeptBusy = state.withLock { !$0.threads.isEmpty }
    for log in measuredLogs { report.add(log.label, log.take()) }
    report.faults += state.withLock { $0.faults }
    report.remarks = state.withLock { $0.remarks }
    report.read(metrics)
    server.withLock { server in
      guard let process = server else { return }
      report.peakBytes = process.process.peakBytes
      if wasAlive { report.endTime = process.stop() }
      _ = process.isAlive
      report.ending = process.ending
      if !wasAlive || process.ending != .exit(status: 0) {
        report.faults.append("the server ended: \(process.ending?.text ?? "")")
        report.faults.append(process.lastErrors)
      }
      server = nil
    }
    isOver.store(true, ordering: .relaxed)
    for thread in state.withLock({ $0.threads }) { thread.join() }
    return report
  }
}

extension AttackField {
  /// Returns the checksum of a page of the normal users' tree.
  private func checksum() -> UInt64 {
    let client = self.client()
    for _ in 0..<100 where isAlive {
      let made = client.send("POST", "/v1/sessions", #"{"tree":"users-pages-\#(mark)"}"#)
      if let session = made?.string("session"),
        let page = client.send("GET", "/v1/sessions/\(session)/rows?limit=100"), page.status == 200
      {
        let start = page.body.indices.first { page.body[$0...].starts(with: #""rows":"#.utf8) }
        return page.body[(start ?? 0)...].reduce(UInt64(200)) { $0 &* 31 &+ UInt64($1) }
      }
      usleep(100_000)
    }
    let made = client.send("POST", "/v1/sessions", #"{"tree":"users-pages-\#(mark)"}"#)
    fault("the normal users' tree cannot be read at the end: \(made?.text ?? "no answer")")
    return 0
  }
}

/// A number that several threads change.
final class SharedCount: Sendable {
  private let count = Mutex(0)

  func withLock<Result>(_ body: (inout sending Int) -> sending Result) -> Result {
    count.withLock(body)
  }
}
