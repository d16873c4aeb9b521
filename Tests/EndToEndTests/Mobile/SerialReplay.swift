import HTTP
import TestSupport
import Testing

/// Applies batches again, one after the other, to a fresh tree.
enum SerialReplay {
  /// Expects what concurrent writers made of a tree to be what their batches make of an empty one
  /// in the order of their revisions, which are those from 1 on without a gap.
  ///
  /// - Parameters:
  ///   - batches: The batches, with the revisions that they gave the tree.
  ///   - tree: The tree's id.
  ///   - body: What the tree was made with, its id included.
  ///   - revision: The revision that the tree has now; nil for that of the last batch.
  ///   - access: The way to the service.
  ///   - label: What to say beside a failure.
  static func expectSame(
    _ batches: [MobileClient.Acknowledged],
    as tree: String,
    like body: String,
    at revision: Int? = nil,
    _ access: any Access,
    _ label: String
  ) throws {
    let sorted = batches.sorted { $0.treeRevision < $1.treeRevision }
    let revisions = sorted.map(\.treeRevision)
    #expect(revisions.elementsEqual(1..<revisions.count + 1), "\(label): \(revisions)")
    let description = try access.send(Ask(.get, "/v1/trees/\(tree)")).json()
    #expect(description["revision"]?.integer == revision ?? revisions.count, "\(label)")
    let twin = body.replacing("\"\(tree)\"", with: "\"again\"")
    #expect(try access.send(Ask(.post, "/v1/trees", twin)).status == 201)
    let session = try RemoteSession(access, #"{"tree":"again"}"#)
    for batch in sorted {
      let answer = try session.send(Ask(.post, "/batch", batch.body))
      guard answer.status == 200 else {
        throw WireError("\(label): \(batch.treeRevision) is refused: \(answer.text)")
      }
    }
    let original = try access.send(Ask(.get, "/v1/trees/\(tree)/export"))
    let replayed = try access.send(Ask(.get, "/v1/trees/again/export"))
    #expect(original.status == 200 && original.body == replayed.body, "\(label)")
  }
}
