import HTTP
import TestSupport

/// Adapts an ``Access`` to the interface that the differential tests use.
struct AccessService: ServiceUnderTest {
  let access: any Access

  func send(
    _ method: String,
    _ target: String,
    headers: [(name: String, value: String)],
    body: [UInt8]
  ) throws -> ServiceAnswer {
    guard let method = HTTP.Method(rawValue: method) else {
      throw WireError("there is no method \(method)")
    }
    let answer = try access.send(Ask(method, target, body, fields: headers))
    return ServiceAnswer(status: answer.status, headers: answer.fields, body: answer.body)
  }
}
