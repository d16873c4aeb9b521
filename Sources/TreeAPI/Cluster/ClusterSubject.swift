import HTTP
import JSON
import TreeDomain

/// The part of a request that decides which instance answers it.
enum ClusterSubject {
  /// A shared tree, by the id in the path.
  case tree(ArraySlice<UInt8>)
  /// A session, by the id in the path.
  case session(ArraySlice<UInt8>)
  /// A tree or a session to be created, by the content.
  case creation
  /// All shared trees.
  case list
  /// Nothing: any instance answers.
  case none

  /// Reads the subject of a request.
  ///
  /// - Parameters:
  ///   - request: The request; its content is not used.
  ///   - outcome: The result of routing it.
  init(of request: Request, _ outcome: RouteMatch.Outcome) {
    self = .none
    switch outcome {
    case .route: break
    case .options: if Preflight.isMade(by: request) { return }
    case .methodNotAllowed, .notFound: return
    }
    let count = request.target.segmentCount
    guard count > 1, request.segment(at: 0) == Self.version else { return }
    let isTree = request.segment(at: 1) == Self.trees
    guard isTree || request.segment(at: 1) == Self.sessions else { return }
    if count > 2 {
      self = isTree ? .tree(request.segment(at: 2)) : .session(request.segment(at: 2))
    } else if request.method == .post {
      self = .creation
    } else if request.method == .get || request.method == .head {
      self = .list
    }
  }

  private static let version = Array("v1".utf8)[...]
  private static let trees = Array("trees".utf8)[...]
  private static let sessions = Array("sessions".utf8)[...]
}

/// The tree that the content of a creation names.
enum NamedTree: Equatable {
  /// A shared tree.
  case id([UInt8])
  /// No tree is named, so the service chooses an id.
  case none
  /// The content cannot be read, so that any instance refuses it.
  case unreadable

  private static let member = Array("tree".utf8)

  /// Reads the member `tree` of an object and skips others.
  ///
  /// Members after it are not read here, but by the instance of the tree.
  ///
  /// - Complexity: O(bytes before the member).
  init(in content: [UInt8], maxDepth: Int) {
    self = .none
    guard !content.isEmpty else { return }
    var reader = JSONReader(content, maxDepth: maxDepth)
    do throws(JSONError) {
      try reader.beginObject()
      while let name = try reader.nextMember() {
        guard name.equals(Self.member, in: content) else {
          _ = try reader.skipValue()
          continue
        }
        let id = try reader.readString().decoded(from: content)
        self = TreeID(validating: id) == nil ? .unreadable : .id(id)
        return
      }
    } catch {
      self = .unreadable
    }
  }
}
