import TestSupport

/// A response, independent of the transport.
struct Answer {
  var status: Int
  var fields: [(name: String, value: String)] = []
  var body: [UInt8] = []

  /// The value of the first field with a name, ignoring case; nil if there is none.
  subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as JSON.
  func json() throws -> RawJSON { try RawJSON(parsing: body) }
}
