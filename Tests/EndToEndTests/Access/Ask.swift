import HTTP

/// A request, independent of the transport.
struct Ask {
  var method: HTTP.Method
  /// The path and the query, as in the request line.
  var target: String
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  /// Creates a request. A body is sent as JSON unless the fields name another type.
  init(
    _ method: HTTP.Method,
    _ target: String,
    _ body: [UInt8] = [],
    fields: [(name: String, value: String)] = []
  ) {
    self.method = method
    self.target = target
    self.body = body
    self.fields = fields
    if !body.isEmpty, !fields.contains(where: { $0.name == "Content-Type" }) {
      self.fields.append(("Content-Type", "application/json"))
    }
  }

  /// Creates a request whose body is text.
  init(
    _ method: HTTP.Method,
    _ target: String,
    _ body: String,
    fields: [(name: String, value: String)] = []
  ) {
    self.init(method, target, Array(body.utf8), fields: fields)
  }

  /// The request as HTTP/1.1 sends it (RFC 9112), with a content length.
  var bytes: [UInt8] {
    head(framing: body.isEmpty ? nil : "Content-Length: \(body.count)") + body
  }

  /// Returns the request with its body in chunks of `size` bytes.
  func bytes(chunkedBy size: Int) -> [UInt8] {
    var bytes = head(framing: "Transfer-Encoding: chunked")
    for start in stride(from: 0, to: body.count, by: size) {
      let chunk = body[start..<min(start + size, body.count)]
      bytes += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
    }
    return bytes + Array("0\r\n\r\n".utf8)
  }

  /// Returns the head, with a line for the framing of the body.
  func head(framing: String?) -> [UInt8] {
    var lines = ["\(method.rawValue) \(target) HTTP/1.1", "Host: localhost"]
    lines += fields.map { "\($0.name): \($0.value)" }
    if let framing { lines.append(framing) }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
