import Testing

@testable import HTTP

@Suite struct `Origins of web pages` {
  @Test(arguments: [
    "https://app.example", "http://localhost", "http://localhost:3000", "http://127.0.0.1:5173",
    "http://[::1]:8080", "https://a-b.c_d.example:8443", "capacitor://localhost", "https://a:80",
  ])
  func `an origin is compared byte for byte`(text: String) throws {
    let origins = try WebOrigins(list: text)
    #expect(origins.contains(Array(text.utf8)[...]))
    for other in [text + "/", text.uppercased(), String(text.dropLast()), " " + text, ""] {
      #expect(!origins.contains(Array(other.utf8)[...]))
    }
  }

  @Test func `a list is separated by commas, with optional spaces`() throws {
    let origins = try WebOrigins(list: " https://a.example ,https://b.example,\thttps://c.example,")
    for name in "abc" { #expect(origins.contains(Array("https://\(name).example".utf8)[...])) }
    #expect(!origins.isEmpty)
    for empty in ["", " ", ",", " , "] { #expect(try WebOrigins(list: empty).isEmpty) }
  }

  @Test(arguments: [
    "*", "null", "app.example", "https://", "https:app.example", "://app.example", "1s://a",
    "https://app.example/", "https://app.example/path", "https://app.example?", "https://a b",
    "https://user@app.example", "HTTPS://app.example", "https://App.example", "https://*",
    "https://*.app.example", "https://app.example:", "https://app.example:443", "http://a:80",
    "http://a:080", "http://a:65536", "http://a:8o", "http://[::1", "http://::1", "https://é",
  ])
  func `text that no browser sends is refused`(text: String) {
    #expect(throws: WebOrigins.Fault(text: text)) { try WebOrigins(list: "https://a, " + text) }
  }
}
