/// A piece of news of a session that is followed.
public enum ChangeEvent<Object: Decodable & Sendable>: Sendable {
  /// The net change since the revision that was told before.
  case changes(ChangeList<Object>)
  /// A gap in the history: read the rows again.
  ///
  /// The news goes on from this revision. If rows were read at a newer one, follow anew from there.
  case reset(revision: Int, rowCount: Int)

  /// The revision that the news leads to.
  public var revision: Int {
    switch self {
    case .changes(let list): list.revision
    case .reset(let revision, _): revision
    }
  }
}
