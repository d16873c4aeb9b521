import HTTP
import TreeAPI

/// A transport that calls the router directly, without HTTP.
struct RouterAccess: Access {
  let api: TreeAPI

  func send(_ ask: Ask) throws -> Answer {
    var fields = Fields()
    for field in ask.fields { fields.append(FieldName(field.name), field.value) }
    let request = try Request(
      method: ask.method,
      target: ask.target,
      fields: fields,
      body: ask.body
    )
    guard case .response(let response) = api.respond(to: request) else {
      preconditionFailure("a deferred answer needs a socket")
    }
    var answer = Answer(status: response.status.code)
    for index in 0..<response.fields.count {
      answer.fields.append(
        (
          String(decoding: response.fields.name(at: index), as: UTF8.self),
          String(decoding: response.fields.value(at: index), as: UTF8.self)
        )
      )
    }
    // The HTTP layer drops the content of an answer to HEAD.
    if ask.method != .head { answer.body = response.body }
    return answer
  }
}
