import Testing

@testable import HTTP

@Suite struct LimitTests {
  private func statuses(_ raw: String, _ change: (inout Limits) -> Void = { _ in }) -> [Int] {
    var limits = Limits()
    change(&limits)
    let bytes = Array(raw.utf8)
    let whole = Exchange(bytes, limits: limits)
    let bytewise = Exchange(bytes, cuts: Array(0..<bytes.count), limits: limits)
    #expect(whole.transcript == bytewise.transcript)
    return whole.statuses
  }

  @Test(arguments: [(8_192, 200), (8_193, 414)])
  func `a request line may have 8192 bytes`(length: Int, status: Int) {
    let path = String(repeating: "a", count: length - "GET / HTTP/1.1".utf8.count)
    #expect(statuses("GET /\(path) HTTP/1.1\r\n\(host)\r\n") == [status])
  }

  @Test(arguments: [(4, 200), (5, 414)])
  func `empty lines count towards the request line`(lines: Int, status: Int) {
    let start = String(repeating: "\r\n", count: lines)
    let request = "GET / HTTP/1.1\r\n\(host)\r\n"
    #expect(statuses(start + request) { $0.maxRequestLineBytes = 22 } == [status])
    let second = request + start + request
    #expect(statuses(second) { $0.maxRequestLineBytes = 22 } == [200, status])
  }

  @Test func `an endless request line is refused before it ends`() {
    #expect(statuses("GET /" + String(repeating: "a", count: 9_000)) == [414])
  }

  @Test func `an endless method gives 501`() {
    #expect(statuses(String(repeating: "a", count: 9_000)) == [501])
  }

  @Test(arguments: [(0, 200), (1, 431)])
  func `a header section may have 32768 bytes`(more: Int, status: Int) {
    let empty = "\(host)A: \r\n\r\n".utf8.count
    let value = String(repeating: "a", count: 32_768 - empty + more)
    #expect(statuses("GET / HTTP/1.1\r\n\(host)A: \(value)\r\n\r\n") == [status])
  }

  @Test(arguments: [(99, 200), (100, 431)])
  func `up to 100 fields are accepted`(beside: Int, status: Int) {
    let fields = String(repeating: "A: b\r\n", count: beside)
    #expect(statuses("GET / HTTP/1.1\r\n\(host)\(fields)\r\n") == [status])
  }

  @Test(arguments: [(100, 200), (101, 431)])
  func `up to 100 trailers are accepted`(count: Int, status: Int) {
    let trailers = String(repeating: "a:b\r\n", count: count)
    let start = with("Transfer-Encoding: chunked") + "1\r\nx\r\n0\r\n"
    #expect(statuses("\(start)\(trailers)\r\n") == [status])
  }

  @Test(arguments: [(10, 200), (11, 413)])
  func `the length of announced and chunked content is limited`(length: Int, status: Int) {
    let content = String(repeating: "x", count: length)
    let start = "POST / HTTP/1.1\r\n\(host)"
    let announced = "\(start)Content-Length: \(length)\r\n\r\n\(content)"
    #expect(statuses(announced) { $0.maxBodyBytes = 10 } == [status])
    let chunks = String(repeating: "1\r\nx\r\n", count: length)
    let chunked = "\(start)Transfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n"
    #expect(statuses(chunked) { $0.maxBodyBytes = 10 } == [status])
  }

  @Test(arguments: [(19, 200), (20, 431)])
  func `chunk extensions and trailers are limited together`(length: Int, status: Int) {
    // 9 bytes of extensions, and a trailer of `length` bytes with its CRLF.
    let trailer = "t:" + String(repeating: "v", count: length - 4)
    let raw =
      "POST / HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\n"
      + "1;12345678\r\nx\r\n0\r\n\(trailer)\r\n\r\n"
    #expect(statuses(raw) { $0.maxChunkOverheadBytes = 28 } == [status])
  }

  @Test(arguments: [(1_024, 200), (1_025, 431)])
  func `the extensions of all chunks may have 8192 bytes`(chunks: Int, status: Int) {
    let content = String(repeating: "1;2345678\r\nx\r\n", count: chunks)
    #expect(statuses(with("Transfer-Encoding: chunked") + content + "0\r\n\r\n") == [status])
  }

  @Test func `the last allowed request announces the close`() {
    var limits = Limits()
    limits.maxRequestsPerConnection = 2
    let request = Array("GET / HTTP/1.1\r\n\(host)\r\n".utf8)
    let exchange = Exchange(request + request + request, limits: limits)
    #expect(exchange.statuses == [200, 200])
    #expect(exchange.isWriteShut)
  }

  @Test func `empty lines are limited, use no memory and no idle time`() {
    var exchange = Exchange()
    let deadline = exchange.state.deadline
    for _ in 0..<4 {
      exchange.milliseconds += 10
      exchange.feed(String(repeating: "\r\n", count: 1_024))
      #expect(exchange.state.input.count <= 2_048 && exchange.statuses == [])
    }
    #expect(exchange.state.deadline == deadline)
    exchange.feed("\r\n")
    #expect(exchange.statuses == [414] && exchange.isWriteShut)
  }

  /// Returns the buffer capacities before and after a request that fills them is answered.
  private func buffers(kept: Int) -> (full: [Int], left: [Int]) {
    var limits = Limits()
    limits.bufferBytesKept = kept
    var exchange = Exchange(limits: limits)
    exchange.handle = { _ in
      var fields = Fields()
      fields.append(FieldName("Long"), String(repeating: "x", count: 5_000))
      return .response(Response(.noContent, fields: fields))
    }
    exchange.takesOutput = false
    exchange.feed("GET / HTTP/1.1\r\n\(host)Long: \(String(repeating: "x", count: 5_000))\r\n\r\n")
    let full = [exchange.state.input.capacity, exchange.state.output.bytes.capacity]
    exchange.takesOutput = true
    exchange.feed("G")
    return (full, [exchange.state.input.capacity, exchange.state.output.bytes.capacity])
  }

  /// The capacity that the allocator returns for a size is not always the same.
  @Test func `a buffer is kept up to a size, and a larger one is freed`() {
    var (kept, givenBack) = (Set<Int>(), Set<Int>())
    for limit in stride(from: 4_992, to: 12_000, by: 32) {
      let (full, left) = buffers(kept: limit)
      for buffer in full.indices {
        if full[buffer] <= limit { kept.insert(buffer) } else { givenBack.insert(buffer) }
        #expect(full[buffer] <= limit ? left[buffer] >= 5_000 : left[buffer] < 100)
      }
    }
    #expect(kept == [0, 1] && givenBack == [0, 1])
  }
}
