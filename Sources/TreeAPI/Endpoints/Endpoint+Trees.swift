import HTTP
import TreeDomain

// Shared trees: creation, description, deletion, and import and export as lines.
extension Endpoint {
  /// `POST /v1/trees`: creates a tree that sessions can share.
  static let createTree = Endpoint(
    bodyTypes: [.json],
    .decode { call throws(ServiceError) in
      let refusal = call.refusal(at: nil)
      let idempotency = try call.idempotency()
      let new = try NewTree.decode(body: call.request.body, limits: call.limits)
      return { service throws(ServiceError) in
        if let refusal { return .response(refusal) }
        let created = try service.createTree(new, idempotency)
        let tree = created.description
        var fields = Fields()
        fields.append(.location, "/v1/trees/".utf8 + tree.tree.bytes)
        fields.record(isReplayed: created.wasReplayed)
        let response = Response.json(.created, fields) { tree.write(to: &$0) }
        return HeldAnswer.reply(response, created.durability)
      }
    }
  )

  /// `GET /v1/trees`: lists the shared trees in the order of their ids.
  static let listTrees = Endpoint(parameters: [.limit, .after]) { call throws(ServiceError) in
    let page = try call.service.trees(
      after: try call.query.treeID(),
      limit: try call.query.limit()
    )
    return call.refusal(at: nil) ?? .json(.ok) { page.write(to: &$0) }
  }

  /// `GET /v1/trees/{tree}`: describes a shared tree.
  static let getTree = Endpoint(parameters: [.revision]) { call throws(ServiceError) in
    let tree = try call.service.tree(
      try call.tree(),
      expectedRevision: try call.query.revision()
    )
    return call.answer(at: tree.revision) { tree.write(to: &$0) }
  }

  /// `DELETE /v1/trees/{tree}`: deletes a shared tree and its sessions.
  static let deleteTree = Endpoint(
    answerTypes: [],
    .answer { call throws(ServiceError) in
      let idempotency = try call.idempotency()
      let condition = try call.condition()
      return .ended(try call.service.deleteTree(try call.tree(), condition, idempotency))
    }
  )

  /// `POST /v1/trees/{tree}/import`: inserts nodes into a tree, one a line, all or none.
  static let importNodes = Endpoint(
    parameters: [.dryRun],
    bodyTypes: [.lines, .bytes],
    .receive { call throws(ServiceError) in
      let tree = try call.tree()
      let options = try call.treeOptions()
      let attempt = Attempt()
      do throws(ServiceError) {
        // A missing tree is reported before the lines are sent.
        _ = try call.context.service.answering(attempt).tree(tree, expectedRevision: nil)
      } catch {
        // A tree that must be loaded is checked again when the lines are complete.
        guard attempt.isRefused else { throw error }
      }
      return ImportReceiver(into: tree, options, token: try call.idempotencyToken(), call)
    }
  )

  /// `GET /v1/trees/{tree}/export`: returns all nodes of a tree at one revision, one a line.
  static let exportNodes = Endpoint(
    answerTypes: [.lines],
    .answer { call throws(ServiceError) in
      let export = try call.service.export(try call.tree())
      if let response = call.unsent(at: export.revision) { return .response(response) }
      var response = Response(.ok, fields: call.fields(at: export.revision))
      response.fields.append(.contentType, MediaType.lines.name)
      return .later(ExportStream(export, response))
    }
  )
}

extension Query {
  /// Returns `after`, the id of an existing or missing tree; nil if it was not given.
  fileprivate func treeID() throws(ServiceError) -> TreeID? {
    guard let written = self[.after] else { return nil }
    guard let id = TreeID(validating: written) else { throw refusal(.after, "the id of a tree") }
    return id
  }
}

extension Reply {
  /// Returns the reply to a deletion, which is sent once the deletion is durable.
  static func ended(_ ending: Ending) -> Reply {
    var fields = Fields()
    fields.record(isReplayed: ending.wasReplayed)
    return HeldAnswer.reply(Response(.noContent, fields: fields), ending.durability)
  }
}
