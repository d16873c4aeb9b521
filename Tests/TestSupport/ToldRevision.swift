/// What a service told of one revision of a session, to be compared with what it tells of it later.
struct ToldRevision {
  /// The revision.
  let revision: Int
  /// The query that it was told for.
  let query: String
  /// The members that are alike however one asks for the revision, white space aside.
  let members: [String]

  private static let names = [
    "rowCount", "nodeCount", "treeRevision", "format", "changes", "unloaded",
  ]

  /// Takes over an answer or an event; nil where it does not tell exactly one revision.
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
  /// The change list since the revision before is the one that the answer told.
  func compareRetelling() throws {
    if let told { try compareRetelling(of: told, from: "the answer") }
  }

  /// Compares what was told of the last revision with the change list since the one before.
  ///
  /// - Throws: ``DifferentialFailure`` when they differ.
  func compareRetelling(of told: ToldRevision, from source: String) throws {
    guard told.revision == model.revision else { return }
    let query = "since=\(told.revision - 1)" + (told.query.isEmpty ? "" : "&\(told.query)")
    let answer = try subject.get("/changes?\(query)")
    if forgetsHistory, answer.status == 410 { return }
    let again = ToldRevision(
      try json(answer, status: 200, of: "the changes of one revision"),
      query: told.query
    )
    for (first, second) in zip(told.members, again?.members ?? []) {
      try expect(first == second, "\(source) told \(first), but \(query) tells \(second)")
    }
    try expect(again != nil, "\(query) tells of another revision")
  }
}
