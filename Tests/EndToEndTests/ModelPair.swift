import TestSupport
import Testing

/// A session of the service and the model's, led through the same operations.
struct ModelPair {
  let model: ModelSession
  let session: RemoteSession

  init(_ access: any Access, _ options: ModelSessionOptions) throws {
    model = try ModelSession(options)
    session = try RemoteSession(access, options: options.json)
  }

  /// Applies operations to both and holds the change list to its law.
  ///
  /// - Returns: The answer, and the change list read from it.
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
  /// A node with so many leaves below it, whose keys are its own and a number.
  static func folder(_ key: String, leaves: Int) -> ModelNestedNode {
    ModelNestedNode(
      ModelKey(key),
      children: .loaded((0..<leaves).map { ModelNestedNode(ModelKey("\(key).\($0)")) })
    )
  }
}
