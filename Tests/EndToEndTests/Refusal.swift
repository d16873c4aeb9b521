import HTTP

/// A request that must be refused, and the expected problem.
struct Refusal {
  var ask: Ask
  var status: Int
  var code: String
  /// Further members of the problem, as JSON texts.
  var members: [String: String]

  init(
    _ ask: Ask,
    _ status: Int,
    _ code: String,
    _ members: [String: String] = [:]
  ) {
    self.ask = ask
    self.status = status
    self.code = code
    self.members = members
  }

  /// Returns a batch whose first operation is valid and whose second is refused.
  static func second(
    _ operation: String,
    _ status: Int,
    _ code: String,
    key: String? = nil,
    pointer: String? = nil
  ) -> Refusal {
    let body = #"{"operations":[{"op":"remove","key":"pear"},\#(operation)]}"#
    var members = ["operation": "1"]
    if let key { members["key"] = "\"\(key)\"" }
    if let pointer { members["pointer"] = "\"/operations/1\(pointer)\"" }
    return Refusal(Ask(.post, "/batch", body), status, code, members)
  }

  /// Returns a batch that is no JSON from an offset on.
  static func malformed(_ body: [UInt8], at offset: Int) -> Refusal {
    let ask = Ask(.post, "/batch", body)
    return Refusal(ask, 400, "malformed-json", ["byteOffset": "\(offset)"])
  }

  /// Returns a request without a body.
  static func plain(
    _ method: HTTP.Method,
    _ target: String,
    _ status: Int,
    _ code: String,
    fields: [(name: String, value: String)] = []
  ) -> Refusal {
    Refusal(Ask(method, target, fields: fields), status, code)
  }
}
