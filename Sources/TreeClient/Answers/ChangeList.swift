/// The net difference between the rows at two revisions.
public struct ChangeList<Object: Decodable & Sendable>: Sendable {
  /// The origin of changes in a list that was followed.
  public enum Origin: String, Sendable, Codable {
    /// Only the session's own requests, or no request.
    case own
    /// Only requests of others.
    case other
    /// Requests of the session and of others.
    case mixed
  }

  /// The revision before.
  public var previousRevision: Int
  /// The revision after.
  public var revision: Int
  /// The revision of the tree after.
  public var treeRevision: Int
  /// The number of rows after.
  public var rowCount: Int
  /// The number of nodes of the tree after.
  public var nodeCount: Int
  /// The origin of the changes; nil in the answer to a change.
  public var origin: Origin?
  /// The form of the entries.
  public var format: ChangeFormat
  /// The entries, in the order in which they are applied; `openapi.yaml` explains it.
  public var changes: [Change<Object>]
  /// The keys of expanded nodes whose children are not loaded yet.
  public var unloaded: [String]
  /// The index of the first row that the last `reveal` revealed.
  public var revealedIndex: Int?
}

extension ChangeList: Decodable {
  private enum CodingKeys: String, CodingKey {
    case previousRevision, revision, treeRevision, rowCount, nodeCount, origin, format, changes
    case unloaded
    case revealedIndex = "index"
  }

  /// Decodes a list of an answer or an event.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    previousRevision = try members.decode(Int.self, forKey: .previousRevision)
    revision = try members.decode(Int.self, forKey: .revision)
    treeRevision = try members.decodeIfPresent(Int.self, forKey: .treeRevision) ?? 0
    rowCount = try members.decode(Int.self, forKey: .rowCount)
    nodeCount = try members.decodeIfPresent(Int.self, forKey: .nodeCount) ?? 0
    origin = try members.decodeIfPresent(Origin.self, forKey: .origin)
    format = try members.decode(ChangeFormat.self, forKey: .format)
    changes = try members.decodeIfPresent([Change<Object>].self, forKey: .changes) ?? []
    unloaded = try members.decodeIfPresent([String].self, forKey: .unloaded) ?? []
    revealedIndex = try members.decodeIfPresent(Int.self, forKey: .revealedIndex)
  }
}

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
