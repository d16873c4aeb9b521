/// Requests as bytes.
enum ServiceRequest {
  /// Returns a GET request; the path includes the query.
  static func get(_ path: some Collection<UInt8>, accept type: String = "*/*") -> [UInt8] {
    let fields = " HTTP/1.1\r\nHost: localhost\r\nAccept: \(type)\r\n\r\n"
    return Array("GET ".utf8) + path + fields.utf8
  }

  /// Returns a POST request with content.
  static func post(
    _ path: some Collection<UInt8>,
    _ body: [UInt8],
    type: String = "application/json"
  ) -> [UInt8] {
    request("POST", path, body, type: type)
  }

  /// Returns a request with a method and content.
  static func request(
    _ method: String,
    _ path: some Collection<UInt8>,
    _ body: [UInt8],
    type: String
  ) -> [UInt8] {
    var bytes = Array(method.utf8) + [UInt8(ascii: " ")] + path
    bytes += " HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: ".utf8
    bytes.append(decimal: body.count)
    return bytes + Array("\r\n\r\n".utf8) + body
  }
}
