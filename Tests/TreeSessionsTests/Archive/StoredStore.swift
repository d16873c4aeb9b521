import JSON
import TestSupport
import TreeDomain
import TreeSessions

/// Reads of a persistent store.
extension SessionStore {
  /// Returns the export of a shared tree, after its revision.
  func picture(of tree: TreeID) throws(ServiceError) -> [UInt8] {
    let export = try export(tree)
    var bytes = Array("\(export.revision.number)\n".utf8)
    while let lines = export.next() { bytes += lines }
    return bytes
  }

  /// Returns the description, state and rows of a session.
  func picture(of session: SessionID) throws(ServiceError) -> [UInt8] {
    var writer = JSONWriter()
    try self.session(session, expectedRevision: nil).write(to: &writer)
    try state(of: session, expectedRevision: nil).write(to: &writer)
    let page = try rows(of: session, RowQuery(.offset(0, limit: 100_000)))
    return writer.finish() + page.rows
  }

  /// Returns the change lists since a session's last revisions, as far as they are known.
  func past(of session: SessionID) throws(ServiceError) -> [UInt8] {
    var writer = JSONWriter()
    let revision = try self.session(session, expectedRevision: nil).revision.number
    for since in (revision < 6 ? 0 : revision - 6)...revision {
      do throws(ServiceError) {
        try changes(of: session, ChangesQuery(since: Revision(since))).write(to: &writer)
      } catch {
        writer.string(error.code.rawValue)
      }
    }
    return writer.finish()
  }

  /// Makes a shared tree.
  @discardableResult
  func make(_ tree: String, _ members: String = "") throws -> TreeID {
    let body = Array(#"{"tree":"\#(tree)"\#(members.isEmpty ? "" : ","+members)}"#.utf8)
    return try createTree(NewTree.decode(body: body), nil).description.tree
  }
}

extension StoreUnderTest {
  /// Makes a session that exists already.
  init(_ id: SessionID, of store: SessionStore) {
    self.store = store
    self.id = id
  }
}
