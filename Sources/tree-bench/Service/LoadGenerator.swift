/// The program wrk, which sends requests over many connections, as fast as they are answered.
///
/// It runs on the second processor.
enum LoadGenerator {
  /// True if it is installed, and a second processor exists.
  static var isInstalled: Bool { Shell.has("wrk") && Shell.run("taskset -c 1 true").status == 0 }

  /// The requests that it sends.
  struct Load {
    var connections: Int
    var path: String
    /// The path of the script that makes each request; nil if all are the same.
    var script: String?
  }

  /// Sends requests for a second.
  ///
  /// - Parameters:
  ///   - load: The requests.
  ///   - port: The port of the server, on this machine.
  /// - Returns: The number of answers in a second.
  /// - Precondition: All answers are successful.
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
