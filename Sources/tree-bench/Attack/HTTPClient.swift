/// A client with one connection, which it opens again after the peer closed it.
final class HTTPClient {
  /// An answer, of whose content at most ``HTTPClient/maxKeptBytes`` are kept.
  struct Answer {
    var status: Int
    var body: [UInt8]
    /// The length of the whole content.
    var length: Int

    var text: String { String(decoding: body, as: UTF8.self) }
    var isSuccess: Bool { 200..<300 ~= status }
  }

  static let maxKeptBytes = 4 << 20

  let port: UInt16
  /// The header fields of every request, with their line breaks.
  private let fields: String
  private let timeout: Int
  private var socket: ClientSocket?
  private var buffer = [UInt8](repeating: 0, count: 1 << 18)
  /// The received bytes that are not parsed yet.
  private var arrived: ArraySlice<UInt8> = []

  /// Creates a client, which connects at the first request.
  ///
  /// - Parameters:
  ///   - port: The port of the service.
  ///   - key: The API key; nil if the service has none.
  ///   - fields: More fields for each request, as `Name: value`.
  ///   - timeout: The maximum time to wait for bytes, in seconds.
  init(_ port: UInt16, key: String? = nil, fields: [String] = [], timeout: Int = 150) {
    let authorization = key.map { ["Authorization: Bearer \($0)"] } ?? []
    let lines = ["Host: 127.0.0.1:\(port)"] + authorization + fields
    self.fields = lines.map { $0 + "\r\n" }.joined()
    (self.port, self.timeout) = (port, timeout)
  }

  /// Returns the bytes of a request.
  func request(_ method: String, _ path: String, _ body: [UInt8], type: String) -> [UInt8] {
    let length = body.isEmpty && method == "GET" ? "" : "Content-Length: \(body.count)\r\n"
    let content = body.isEmpty ? "" : "Content-Type: \(type)\r\n"
    return Array("\(method) \(path) HTTP/1.1\r\n\(fields)\(content)\(length)\r\n".utf8) + body
  }

  /// Sends a request and reads the answer.
  ///
  /// - Returns: Nil if the connection ended or nothing came before the timeout.
  func send(
    _ method: String,
    _ path: String,
    _ body: [UInt8] = [],
    type: String = "application/json"
  ) -> Answer? {
    send(request(method, path, body, type: type))
  }

  /// Sends a text as the content of a request and reads the answer.
  func send(_ method: String, _ path: String, _ body: String) -> Answer? {
    send(method, path, Array(body.utf8))
  }

  /// Sends the bytes of a request and reads the answer.
  func send(_ request: [UInt8]) -> Answer? {
    guard begin(request), let answer = readAnswer() else {
      close()
      return nil
    }
    return answer
  }

  /// Sends the bytes of a request without reading the answer.
  func begin(_ request: [UInt8]) -> Bool {
    if socket?.isEndedByPeer == true { close() }
    if socket == nil { socket = ClientSocket(port: port, timeout: timeout) }
    return socket?.send(request) ?? false
  }

  /// Closes the connection; the next request opens another one.
  func close() {
    socket = nil
    arrived = []
  }

  /// Receives and discards some bytes; returns false at the end of the connection.
  func skipSome(_ count: Int) -> Bool {
    var room = [UInt8](repeating: 0, count: count)
    return (socket?.receive(into: &room) ?? 0) > 0
  }

  // MARK: Reading

  /// Reads the answer to a request that ``begin(_:)`` sent.
  func readAnswer() -> Answer? {
    guard let first = line(), let status = Int(first.split(separator: " ").dropFirst().first ?? "")
    else { return nil }
    var (length, isChunked, isLast) = (0, false, false)
    while let line = line(), !line.isEmpty {
      let field = line.lowercased()
      if field.hasPrefix("content-length: ") { length = Int(field.dropFirst(16)) ?? 0 }
      if field == "transfer-encoding: chunked" { isChunked = true }
      if field == "connection: close" { isLast = true }
    }
    var answer = Answer(status: status, body: [], length: 0)
    let isWhole = isChunked ? readChunks(&answer) : read(length, &answer)
    guard isWhole else { return nil }
    if isLast { close() }
    return answer
  }

  private func readChunks(_ answer: inout Answer) -> Bool {
    while let line = line(), let size = Int(line, radix: 16) {
      guard read(size, &answer), self.line() == "" else { return false }
      if size == 0 { return true }
    }
    return false
  }

  private func read(_ count: Int, _ answer: inout Answer) -> Bool {
    var rest = count
    while rest > 0 {
      if arrived.isEmpty, !fill() { return false }
      let piece = arrived.prefix(rest)
      answer.body += piece.prefix(max(0, Self.maxKeptBytes - answer.body.count))
      arrived = arrived.dropFirst(piece.count)
      rest -= piece.count
    }
    answer.length += count
    return true
  }

  /// Returns the next line without its line break; nil at the end of the connection.
  private func line() -> String? {
    var line: [UInt8] = []
    while true {
      if let end = arrived.firstIndex(of: 10) {
        line += arrived[..<end]
        arrived = arrived[(end + 1)...]
        return String(decoding: line.last == 13 ? line.dropLast() : line[...], as: UTF8.self)
      }
      line += arrived
      arrived = []
      guard line.count < 1 << 16, fill() else { return nil }
    }
  }

  private func fill() -> Bool {
    let count = socket?.receive(into: &buffer) ?? 0
    arrived = buffer[..<count]
    return count > 0
  }
}
