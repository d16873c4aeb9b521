import HTTP
import TestSupport

/// A writer among several of one tree, through a session or directly.
///
/// Its connection survives a restart of the service.
struct Writer {
  private let access: any Access
  /// The path that its batches go to.
  private let target: String
  private var batches: RandomBatches

  /// A writer of a number, which decides whether it writes through a session.
  init(number: Int, tree: String, _ access: any Access, _ random: SeededGenerator) throws {
    self.access = access
    let session = try RemoteSession(access, #"{"tree":"\#(tree)"}"#)
    target = number.isMultiple(of: 2) ? session.path : "/v1/trees/\(tree)"
    batches = RandomBatches(number: number, random)
  }

  /// Sends so many batches and gives those that were applied.
  mutating func run(batches count: Int) throws -> [MobileClient.Acknowledged] {
    var acknowledged: [MobileClient.Acknowledged] = []
    for _ in 0..<count {
      let body = try MobileClient.Acknowledged.body(of: batches.next())
      let answer = try access.send(Ask(.post, "\(target)/batch", body))
      guard answer.status == 200 else {
        guard [404, 409, 422].contains(answer.status) else { throw WireError(answer.text) }
        continue
      }
      let json = try answer.json()
      guard let revision = (json["treeRevision"] ?? json["revision"])?.integer else {
        throw WireError(answer.text)
      }
      batches.recordApplied()
      acknowledged.append(MobileClient.Acknowledged(treeRevision: revision, body: body))
    }
    return acknowledged
  }
}
