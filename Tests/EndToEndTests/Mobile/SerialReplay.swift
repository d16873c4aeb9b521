import HTTP
import TestSupport
import Testing

/// Applies batches again, one after the other, to a fresh tree.
enum SerialReplay {
  /// Compares the result of concurrent writers with the result of their batches, applied to an
  /// empty tree in the order of their revisions.
  ///
  /// The revisions begin at 1 and have no gap.
  ///
  /// - Parameters:
  ///   - batches: The batches, with the revisions that they gave the tree.
  ///   - tree: The tree's id.
  ///   - body: What the tree was made with, its id included.
  ///   - revision: The revision that the tree has now; nil for that of the last batch.
  ///   - access: The way to the service.
  /// - Returns: The first difference; nil if there is none.
  static func difference(
    _ batches: [MobileClient.Acknowledged],
    as tree: String,
    like body: String,
    at revision: Int? = nil,
    _ access: any Access
  ) throws -> String? {
    let sorted = batches.sorted { $0.treeRevision < $1.treeRevision }
    let revisions = sorted.map(\.treeRevision)
    guard revisions.elementsEqual(1..<revisions.count + 1) else {
      return "the batches made the revisions \(revisions)"
    }
    let description = try access.send(Ask(.get, "/v1/trees/\(tree)"))
    guard try description.json()["revision"]?.integer == revision ?? revisions.count else {
      return "\(revisions.count) batches were acknowledged, and the tree is \(description.text)"
    }
    let twin = try access.send(
      Ask(.post, "/v1/trees", body.replacing("\"\(tree)\"", with: "\"again\""))
    )
    guard twin.status == 201 else { return "no twin is made: \(twin.text)" }
    let session = try RemoteSession(access, #"{"tree":"again"}"#)
    for batch in sorted {
      let answer = try session.send(Ask(.post, "/batch", batch.body))
      guard answer.status == 200 else {
        return "\(batch.treeRevision) is refused: \(answer.text)"
      }
    }
    let original = try access.send(Ask(.get, "/v1/trees/\(tree)/export"))
    let replayed = try access.send(Ask(.get, "/v1/trees/again/export"))
    guard original.status == 200, original.body == replayed.body else {
      return "the tree is \(original.text), and would be \(replayed.text)"
    }
    return nil
  }

  /// Expects no difference; the label is told beside one.
  static func expectSame(
    _ batches: [MobileClient.Acknowledged],
    as tree: String,
    like body: String,
    at revision: Int? = nil,
    _ access: any Access,
    _ label: String
  ) throws {
    let difference = try difference(batches, as: tree, like: body, at: revision, access)
    #expect(difference == nil, "\(label)")
  }
}
