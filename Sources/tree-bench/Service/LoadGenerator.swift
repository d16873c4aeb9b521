/// wrk, which sends requests over many connections at once, as fast as they are answered.
///
/// It runs on the second processor.
enum LoadGenerator {
  /// Whether it is installed, and there is a second processor to run it on.
  static var isInstalled: Bool { Shell.has("wrk") && Shell.run("taskset -c 1 true").status == 0 }

  /// What requests it sends.
  struct Load {
    var connections: Int
    var path: String
    /// Where the script is that makes each request, if they are not all the same.
    var script: String?
  }

  /// Sends requests for a second.
  ///
  /// - Parameters:
  ///   - load: what to send.
  ///   - port: where to, on this machine.
  /// - Returns: how many were answered in a second; they all must be, with success.
  static func answersPerSecond(_ load: Load, port: UInt16) -> Double {
    let script = load.script.map { " -s \($0)" } ?? ""
    let command = "wrk -t1 -c\(load.connections) -d1s\(script) http://127.0.0.1:\(port)\(load.path)"
    let (status, output) = Shell.run("taskset -c 1 \(command)")
    precondition(
      status == 0 && !output.contains("Non-2xx") && !output.contains("Socket errors"),
      "a benchmark's load was refused: \(output)"
    )
    let words = output.split { $0 == " " || $0 == "\n" }
    guard let label = words.firstIndex(of: "Requests/sec:"), label + 1 < words.count,
      let rate = Double(words[label + 1])
    else { preconditionFailure("wrk says something else than it used to: \(output)") }
    return rate
  }
}
