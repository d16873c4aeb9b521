import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

/// Tests the order of checks that `openapi.yaml` describes. The answer to a request with several
/// faults names the first. Preconditions are checked right before the method is applied (RFC 9110,
/// 13.2.1).
struct OrderOfChecksTests {
  /// The parts of a batch request that can be made invalid.
  private struct Parts {
    var method = HTTP.Method.post
    /// The text before the path.
    var server = ""
    var path: String
    var query = "dryRun=false"
    var fields = [
      "Authorization": "Bearer \(key)", "Content-Type": "application/json", "If-Match": "\"0\"",
    ]
    var body = Array(#"{"operations":[{"op":"insert","key":"new"}]}"#.utf8)

    var ask: Ask {
      let fields = fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
      return Ask(method, "\(server)\(path)?\(query)", body, fields: fields)
    }
  }

  /// A change that makes the request invalid, and the expected answer.
  private struct Fault {
    let status: Int
    /// A text that the answer contains.
    let hint: String
    let spoil: (inout Parts) -> Void
  }

  private static let key = "0123456789abcdef"
  private static let maxBodyBytes = 100_000

  /// Returns all faults, in the order of the checks.
  private static func faults(ended: String) -> [Fault] {
    [
      Fault(status: 400, hint: "Content-Length once") { $0.fields["Content-Length"] = "1" },
      Fault(status: 421, hint: "misdirected-request") { $0.server = "http://evil.test" },
      Fault(status: 417, hint: "expectation-failed") { $0.fields["Expect"] = "cake" },
      Fault(status: 404, hint: "route-not-found") { $0.path = "/nowhere" },
      Fault(status: 405, hint: "method-not-allowed") { $0.method = .put },
      Fault(status: 401, hint: "unauthenticated") { $0.fields["Authorization"] = nil },
      Fault(status: 403, hint: "Origin") { $0.fields["Origin"] = "http://evil.test" },
      Fault(status: 406, hint: "not-acceptable") { $0.fields["Accept"] = "text/plain" },
      Fault(status: 415, hint: "media-type") { $0.fields["Content-Type"] = "text/plain" },
      Fault(status: 413, hint: "content-too-large") {
        $0.body = [UInt8](repeating: 0x78, count: maxBodyBytes + 1)
      },
      Fault(status: 400, hint: "query") { $0.query += "&unknown=1" },
      Fault(status: 400, hint: "If-Match must") { $0.fields["If-Match"] = "0" },
      Fault(status: 404, hint: "not the id") { $0.path = "/v1/sessions/none/batch" },
      Fault(status: 400, hint: "limit") { $0.query += "&limit=x" },
      Fault(status: 400, hint: "Idempotency-Key must") { $0.fields["Idempotency-Key"] = "a b" },
      Fault(status: 400, hint: "malformed-json") { $0.body = Array("{".utf8) },
      Fault(status: 404, hint: "session-not-found") { $0.path = ended },
      Fault(status: 422, hint: "key-reused") { $0.fields["Idempotency-Key"] = "used" },
      Fault(status: 412, hint: "revision-mismatch") { $0.fields["If-Match"] = "\"99\"" },
      Fault(status: 409, hint: "duplicate-key") {
        $0.body = Array(#"{"operations":[{"op":"insert","key":"there"}]}"#.utf8)
      },
    ]
  }

  @Test func `the first fault in the order of checks decides the answer`() throws {
    var options = TreeAPIOptions()
    try options.keys.add(lines: Array("k:\(Self.key)".utf8))
    options.maxBodyBytes = Self.maxBodyBytes
    var limits = Limits()
    limits.maxBodyBytes = Self.maxBodyBytes
    let api = TreeAPI(service: SessionStore(), options: options)
    try withServer(api, limits: limits) { port in
      func send(_ parts: Parts) throws -> Answer {
        let connection = try BlockingConnection(port: port)
        try connection.send(parts.ask.bytes)
        return try connection.receive()
      }
      func makeSession() throws -> String {
        var parts = Parts(path: "/v1/sessions")
        parts.query = ""
        parts.fields["If-Match"] = nil
        parts.body = Array(#"{"nodes":[{"key":"there"}]}"#.utf8)
        return try #require(try send(parts)["Location"])
      }
      let (session, ended) = (try makeSession(), try makeSession())
      var ending = Parts(method: .delete, path: ended)
      (ending.query, ending.body) = ("", [])
      #expect(try send(ending).status == 204)
      var used = Parts(path: session + "/batch")
      used.fields["Idempotency-Key"] = "used"
      used.body = Array(#"{"operations":[]}"#.utf8)
      #expect(try send(used).status == 200)

      let faults = Self.faults(ended: ended + "/batch")
      for first in faults.indices {
        var parts = Parts(path: session + "/batch")
        for fault in faults[first...].reversed() { fault.spoil(&parts) }
        let answer = try send(parts)
        #expect(answer.status == faults[first].status, "\(first): \(answer.text)")
        #expect(answer.text.contains(faults[first].hint), "\(first): \(answer.text)")
      }
      #expect(try send(Parts(path: session + "/batch")).status == 200)
    }
  }
}
