/// An answer that contains the revision of the session.
protocol Revised {
  var revision: Int { get }
}

extension AncestorList: Revised {}
extension ChangeList: Revised {}
extension ChildRange: Revised {}
extension NodeList: Revised {}
extension RowPage: Revised {}
extension SearchAnswer: Revised {}
extension SessionDescription: Revised {}
extension SingleRow: Revised {}

extension PatchedSession: Revised {
  var revision: Int { changes.revision }
}
