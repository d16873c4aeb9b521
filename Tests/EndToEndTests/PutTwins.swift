import HTTP
import TestSupport
import Testing

/// Two sessions with the same random history. One gets a PUT where the other gets an update and a
/// move.
struct PutTwins {
  private let model: ModelSession
  private let putter: RemoteSession
  private let mover: RemoteSession
  private let tally: Tally
  private let seed: UInt64
  private var operations: RandomOperations
  private var random: SeededGenerator

  init(_ access: any Access, seed: UInt64, tally: Tally) throws {
    self.seed = seed
    self.tally = tally
    operations = RandomOperations(seed: seed)
    random = SeededGenerator(seed: seed)
    let options = operations.options()
    model = try ModelSession(options)
    putter = try RemoteSession(access, options: options.json)
    mover = try RemoteSession(access, options: options.json)
  }

  /// Applies a random batch to both and compares them.
  mutating func step() throws {
    let batch = operations.batch(for: model)
    if batch.count == 1, case .move(let keys, let parent, _, _) = batch[0], keys.count == 1 {
      try put(keys[0], parent: parent, move: RawJSON(parsing: batch[0].json))
    } else {
      for session in [putter, mover] {
        _ = try session.batch(ModelOperation.batch(batch), query: "")
      }
    }
    _ = try? model.apply(batch)
    let states = try [putter, mover].map { try state(of: $0) }
    #expect(states[0] == states[1], "SEED=\(seed)")
  }

  private mutating func put(_ key: ModelKey, parent: ModelKey?, move: RawJSON) throws {
    guard let row = model.row(of: key) else { return }
    let object = random.oneIn(2) ? row.object.bytes : Array("null".utf8)
    let staysUnderParent = row.parent == parent && random.oneIn(2)
    guard case .object(let members) = move.kind else { return }
    let dropped = ["op", "key"] + (staysUnderParent ? ["parent"] : [])
    let rest = members.filter { !dropped.contains(String(decoding: $0.name, as: UTF8.self)) }
    guard !rest.isEmpty else { return }
    let body = JSONText.object(
      rest.map { (JSONText.string($0.name), $0.value.bytes) } + [(Array("\"object\"".utf8), object)]
    )
    let put = try putter.send(Ask(.put, "/nodes/\(key.pathSegment)?include=rows", body))
    let operations = [ModelOperation.update(key, object: try RawJSON(parsing: object)).json]
    let list = JSONText.array(operations + [move.bytes])
    let moved = try mover.batch(JSONText.object([("operations", list)]), query: "include=rows")
    #expect(put.status == moved.status, "SEED=\(seed): \(put.text)")
    guard moved.status == 200 else { return }
    tally.count(staysUnderParent ? "stayed under its parent" : "moved")
    #expect(neutral(put.body, of: putter) == neutral(moved.body, of: mover), "SEED=\(seed)")
    // Applies the update to the model. The caller applies the move.
    try model.apply([.update(key, object: try RawJSON(parsing: object))])
  }

  private func state(of session: RemoteSession) throws -> [String] {
    try session.state().map { neutral($0, of: session) }
  }

  /// Returns a text in which placeholders replace the ids.
  private func neutral(_ body: [UInt8], of session: RemoteSession) -> String {
    let id = String(session.path.split(separator: "/").last ?? "")
    let text = String(decoding: body, as: UTF8.self).replacing(id, with: "S")
    return text.replacing(#/"t_[^"]*"/#, with: "\"T\"")
  }
}
