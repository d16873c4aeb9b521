/// The outcome of an attack: the times of each kind of request, and the state of the server.
struct AttackReport {
  let name: String
  let size: Int
  var records: [(label: String, record: LatencyLog.Record)] = []
  /// The records of the normal users before the attack.
  var alone: [LatencyLog.Record] = []
  /// True if attackers were at work when SIGTERM was sent.
  var isKeptBusy = false
  /// Faults: a server that ended, undocumented statuses, wrong answers.
  var faults: [String] = []
  /// More findings, each a sentence.
  var remarks: [String] = []
  var peakBytes = 0
  /// The checksum of a page that a normal user reads at the end; equal in equal runs.
  var checksum: UInt64 = 0
  /// The time from SIGTERM to the end.
  var endTime: Duration?
  var ending: ServerProcess.Ending?
  private var metrics: [(name: String, value: Double)] = []

  init(name: String, size: Int) { (self.name, self.size) = (name, size) }

  mutating func add(_ label: String, _ record: LatencyLog.Record) {
    faults += record.faults
    if !record.times.isEmpty { records.append((label, record)) }
  }

  /// Reads the metrics about busy loops and counted memory.
  mutating func read(_ text: String) {
    metrics = text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: " ")
      guard parts.count == 2, let value = Double(parts[1]),
        parts[0].hasPrefix("tree_server"),
        parts[0].contains("loop_busy") || parts[0].contains("memory")
      else { return nil }
      return (String(parts[0]), value)
    }
  }

  /// The lines of the printed report.
  var lines: [String] {
    var lines = ["\(name), size \(size)"]
    for (index, (label, record)) in records.enumerated() {
      var line = "  " + Self.pad(label, 26) + Self.times(record)
      if alone.indices.contains(index), !alone[index].times.isEmpty {
        line += "  (alone p99 \(Self.text(alone[index].percentile(0.99))))"
      }
      lines.append(line + "  " + record.statusText + (Self.goals[label].map { "  " + $0 } ?? ""))
      lines += record.refusals.sorted { $0.key < $1.key }.map { "    \($0.value)" }
    }
    lines.append("  " + Self.pad("memory, peak", 26) + "\(peakBytes >> 20) MiB")
    if let endTime {
      let load = isKeptBusy ? "beside the load" : "alone"
      lines.append(
        "  " + Self.pad("SIGTERM to end, \(load)", 32) + Self.text(endTime)
          + "  \(ending?.text ?? "")  goal: drainSeconds (7) + 2 s"
      )
    }
    lines += remarks.map { "  \($0)" }
    lines +=
      loopLines
      + metrics.filter { $0.name.contains("memory") }.map {
        "  " + Self.pad($0.name, 50) + "\(Int($0.value) >> 20) MiB"
      }
    lines.append("  " + Self.pad("checksum", 26) + String(checksum, radix: 16))
    return lines + faults.map { "  FAULT: \($0)" }
  }

  /// The goals by the kind of request.
  private static let goals = [
    "page of 100 rows": "goal p99 ≤ 10 ms", "small write": "goal p99 ≤ 10 ms",
    "healthz": "goal p99 ≤ 10 ms", "200 KB body": "goal p99 ≤ 100 ms",
    "page of the same tree": "goal p99 ≤ 25 ms",
  ]

  /// The number of times that a loop was busy for longer than 2 ms.
  private var loopLines: [String] {
    let total = metrics.filter { $0.name.contains("loop_busy_seconds_count") }.map(\.value)
    let buckets = metrics.filter { $0.name.contains("loop_busy_seconds_bucket") }
    guard !total.isEmpty, !buckets.isEmpty else { return [] }
    let within = buckets.filter { $0.name.contains(#"le="0.002""#) }.map(\.value).reduce(0, +)
    let longest =
      buckets.last { bucket in bucket.value < total.reduce(0, +) }?.name
      .split(separator: "\"").dropFirst().first ?? "0"
    let over = Int(total.reduce(0, +) - within)
    return [
      "  " + Self.pad("loop busy over 2 ms", 26)
        + "\(over) times of \(Int(total.reduce(0, +))), longest above \(longest) s  goal: 0"
    ]
  }

  private static func times(_ record: LatencyLog.Record) -> String {
    pad("n \(record.times.count)", 10) + pad("p50 \(text(record.percentile(0.5)))", 14)
      + pad("p99 \(text(record.percentile(0.99)))", 14)
      + pad("max \(text(record.percentile(1)))", 14)
  }

  private static func text(_ time: Duration) -> String {
    let milliseconds = time / .milliseconds(1)
    return milliseconds < 10
      ? "\((milliseconds * 100).rounded() / 100) ms"
      : milliseconds < 1_000
        ? "\(Int(milliseconds)) ms" : "\((milliseconds / 10).rounded() / 100) s"
  }

  private static func pad(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
