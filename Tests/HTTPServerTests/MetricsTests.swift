import HTTP
import HTTPServer
import TestSupport
import Testing

/// Metrics of a server with real connections.
@Suite struct MetricsTests {
  private struct Handler: RequestHandler {
    let router: Router = {
      var router = Router()
      router.add(.get, "/echo/{x}")
      return router
    }()

    func respond(to request: Request) -> Reply { EchoHandler().respond(to: request) }
  }

  /// Waits until the metrics satisfy a condition, because they are updated after the response.
  private func figures(
    of metrics: ServerMetrics,
    when isThere: (Exposition) -> Bool
  ) throws -> Exposition {
    var read: Exposition
    repeat {
      var writer = MetricsWriter()
      metrics.write(to: &writer)
      read = try Exposition(String(decoding: writer.finish(), as: UTF8.self))
    } while !isThere(read)
    return read
  }

  private func requests(_ read: Exposition) -> Double {
    read.sum { $0.hasPrefix("tree_server_requests_total{") }
  }

  @Test func `the metrics match the requests`() throws {
    let metrics = ServerMetrics()
    try withServer(handler: Handler(), metrics: metrics) { server in
      var sent = 0
      var received = 0
      for number in 0..<3 {
        let client = Client(port: server.port)
        let input =
          get("/echo/\(number)?q=1") + get("/else") + "HEAD /echo/1 HTTP/1.1\r\n\(host)\r\n"
          + "BREW / HTTP/1.1\r\n\(host)\r\n" + "GET / HTTP/2.0\r\n\r\n"
        client.send(input)
        let (text, ending) = client.readToEnd()
        #expect(ending == .closed)
        #expect(text.statuses == [200, 200, 200, 501, 505])
        sent += input.utf8.count
        received += text.utf8.count
      }
      let read = try figures(of: metrics) { read in
        requests(read) == 15 && read.samples["tree_server_connections_open"] == 0
      }
      let count = { (method: String, route: String, status: String) in
        read.samples[
          "tree_server_requests_total{method=\"\(method)\",route=\"\(route)\",status=\"\(status)\"}"
        ]
      }
      #expect(count("GET", "/echo/{x}", "200") == 3)
      #expect(count("HEAD", "/echo/{x}", "200") == 3)
      #expect(count("GET", "none", "200") == 3)
      #expect(count("other", "none", "501") == 3)
      #expect(count("GET", "malformed", "505") == 3)
      #expect(read.sum { $0.hasPrefix("tree_server_request_duration_seconds_count") } == 15)
      // Requests that the parser refuses or that do not reach the handler are not counted.
      #expect(try #require(read.samples["tree_server_loop_busy_seconds_count"]) >= 9)
      #expect(read.samples["tree_server_request_bytes_total"] == Double(sent))
      #expect(read.samples["tree_server_answer_bytes_total"] == Double(received))
      #expect(read.samples["tree_server_connections_accepted_total"] == 3)
      #expect(read.samples["tree_server_connections_refused_total"] == 0)
      #expect(read.samples["tree_server_requests_in_flight"] == 0)
    }
  }

  @Test func `a request is in flight until it ends or breaks off`() throws {
    let metrics = ServerMetrics()
    try withServer(handler: Handler(), metrics: metrics) { server in
      let half = Client(port: server.port)
      half.send("POST /echo/1 HTTP/1.1\r\n\(host)Content-Length: 2\r\n\r\na")
      let gone = Client(port: server.port)
      gone.send("GET /ec")
      _ = try figures(of: metrics) { $0.samples["tree_server_requests_in_flight"] == 2 }
      gone.reset()
      _ = try figures(of: metrics) { $0.samples["tree_server_requests_in_flight"] == 1 }
      half.send("b")
      #expect(half.read(endingIn: "<ab>").statuses == [200])
      let read = try figures(of: metrics) { requests($0) == 2 }
      #expect(read.samples["tree_server_requests_in_flight"] == 0)
      #expect(read.sum { $0.contains("route=\"malformed\",status=\"none\"") } == 1)
      #expect(read.sum { $0.contains("method=\"POST\",route=\"/echo/{x}\",status=\"200\"") } == 1)
    }
  }

  @Test func `connections beyond the limit are counted as refused`() throws {
    let metrics = ServerMetrics()
    try withServer(handler: Handler(), loops: 1, maxConnections: 1, metrics: metrics) { server in
      let first = Client(port: server.port)
      first.send("GET /ec")
      _ = try figures(of: metrics) { $0.samples["tree_server_requests_in_flight"] == 1 }
      let second = Client(port: server.port)
      #expect(second.readToEnd().text.statuses == [503])
      let read = try figures(of: metrics) { _ in true }
      #expect(read.samples["tree_server_connections_accepted_total"] == 2)
      #expect(read.samples["tree_server_connections_refused_total"] == 1)
      #expect(requests(read) == 0)
    }
  }
}
