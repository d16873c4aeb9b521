import TestSupport
import Testing

/// A session of the service and one of the model, to which the same operations are applied.
struct ModelPair {
  let model: ModelSession
  let session: RemoteSession

  init(_ access: any Access, _ options: ModelSessionOptions) throws {
    model = try ModelSession(options)
    session = try RemoteSession(access, options: options.json)
  }

  /// Applies operations to both and checks the change list with ``ChangeListLaw``.
  ///
  /// - Returns: The answer, and its change list.
  func apply(
    _ operations: [ModelOperation],
    query: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> (json: RawJSON, list: ChangeList) {
    let before = model.picture
    let outcome = try model.apply(operations)
    let answer = try session.batch(ModelOperation.batch(operations), query: query)
    let json = try RawJSON(parsing: answer.body)
    let list = try ChangeList(json)
    let violations = ChangeListLaw.violations(
      before: before,
      after: model.picture,
      list: list,
      moves: outcome.moves
    )
    #expect(violations.isEmpty, "\(violations)", sourceLocation: sourceLocation)
    #expect(list.rowCount == model.rows.count, sourceLocation: sourceLocation)
    return (json, list)
  }
}

extension ModelNestedNode {
  /// Returns a node with `leaves` leaves, whose keys are its own key and a number.
  static func folder(_ key: String, leaves: Int) -> ModelNestedNode {
    ModelNestedNode(
      ModelKey(key),
      children: .loaded((0..<leaves).map { ModelNestedNode(ModelKey("\(key).\($0)")) })
    )
  }
}
