/// An answer or event for one revision of a session, to compare with later answers for it.
struct ToldRevision {
  /// The revision.
  let revision: Int
  /// The query of the request.
  let query: String
  /// The members that do not depend on the kind of request, without white space.
  let members: [String]

  private static let names = [
    "rowCount", "nodeCount", "treeRevision", "format", "changes", "unloaded",
  ]

  /// Creates the record of an answer or event; returns nil if it covers more than one revision.
  init?(_ json: RawJSON, query: String) {
    guard let revision = json["revision"]?.integer,
      json["previousRevision"]?.integer == revision - 1
    else { return nil }
    self.revision = revision
    self.query = query
    members = ToldRevision.names.map { name in
      let value = json[name].map { String(decoding: $0.compactBytes, as: UTF8.self) }
      return "\(name): \(value ?? "absent")"
    }
  }
}

extension DifferentialRun {
  /// Compares the change list of the last revision with the answer to its batch.
  func compareLastRevision() throws {
    if let lastAnswer { try compareLastRevision(with: lastAnswer, from: "the answer") }
  }

  /// Compares the change list of the last revision with an earlier answer or event.
  ///
  /// - Throws: ``DifferentialFailure`` if they differ.
  func compareLastRevision(with earlier: ToldRevision, from source: String) throws {
    guard earlier.revision == model.revision else { return }
    let query = "since=\(earlier.revision - 1)" + (earlier.query.isEmpty ? "" : "&\(earlier.query)")
    let answer = try subject.get("/changes?\(query)")
    if forgetsHistory, answer.status == 410 { return }
    let again = ToldRevision(
      try json(answer, status: 200, of: "the changes of one revision"),
      query: earlier.query
    )
    for (first, second) in zip(earlier.members, again?.members ?? []) {
      try expect(first == second, "\(source) has \(first), but \(query) has \(second)")
    }
    try expect(again != nil, "\(query) has another revision")
  }
}
