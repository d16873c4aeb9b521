import Foundation
import Glibc
import TestSupport

/// A Python program that uses one of Python's HTTP libraries.
final class PythonClient: NamesClient {
  private static let script = """
    import json, sys
    from urllib.parse import quote
    library, host = sys.argv[1:]
    if library == "requests":
        import requests
        session = requests.Session()
        session.trust_env = False
        def send(method, path, body, headers):
            url = "http://" + host + path
            answer = session.request(method, url, data=body, headers=headers, allow_redirects=False)
            return answer.status_code, answer.text
    else:
        import http.client
        connection = http.client.HTTPConnection(host)
        def send(method, path, body, headers):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read().decode()
    for line in sys.stdin.buffer:
        order = json.loads(line)
        segment = order["segment"]
        path = order["before"] + (quote(order["key"], safe="") if segment is None else segment)
        body = None if order["body"] is None else order["body"].encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        print(json.dumps(send(order["method"], path + order["after"], body, headers)), flush=True)
    """

  /// Returns the path of a Python 3 that has a module, or nil.
  static func interpreter(with module: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    let names = folders.map { "\($0)/python3" } + ["/usr/bin/python3"]
    return names.first { runCommand([$0, "-c", "import \(module)"]) }
  }

  private let process = Process()
  private let (orders, answers) = (Pipe(), Pipe())
  private var received: [UInt8] = []

  /// Starts the program as a client of a service on this machine.
  init(_ library: String, port: UInt16) throws {
    guard let interpreter = Self.interpreter(with: library) else {
      throw WireError("no python3 has \(library)")
    }
    process.executableURL = URL(filePath: interpreter)
    process.arguments = ["-c", Self.script, library, "127.0.0.1:\(port)"]
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
  }

  deinit {
    _ = kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func send(_ order: NamesOrder) throws -> (status: Int, content: RawJSON?) {
    try orders.fileHandleForWriting.write(contentsOf: Data(order.json + [UInt8(ascii: "\n")]))
    while received.last != UInt8(ascii: "\n") {
      guard let piece = answers.readSome(), !piece.isEmpty else {
        throw WireError("Python did not answer \(order)")
      }
      received += piece
    }
    defer { received = [] }
    guard let pair = try RawJSON(parsing: received).elements, let status = pair[0].integer else {
      throw WireError("Python returned no status")
    }
    return (status, try? RawJSON(parsing: pair[1].key?.bytes ?? []))
  }
}
