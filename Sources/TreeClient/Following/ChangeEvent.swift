/// An event of a followed session.
public enum ChangeEvent<Object: Decodable & Sendable>: Sendable {
  /// The net change since the revision of the event before.
  case changes(ChangeList<Object>)
  /// A gap in the history: read the rows again.
  ///
  /// Later events continue from this revision. If rows were read at a newer one, follow anew from
  /// there.
  case reset(revision: Int, rowCount: Int)

  /// The revision after the event.
  public var revision: Int {
    switch self {
    case .changes(let list): list.revision
    case .reset(let revision, _): revision
    }
  }
}
