import TreeDomain

/// The followers of a session with the same options.
///
/// Each event is encoded once for all.
struct FollowerGroup {
  let options: BatchOptions
  fileprivate(set) var followers: [Follower]
}

extension OpenSession {
  /// All followers of the session.
  var followers: [Follower] { followerGroups.flatMap(\.followers) }

  /// The number of followers of the session.
  ///
  /// - Complexity: O(groups).
  var followerCount: Int { followerGroups.reduce(0) { $0 + $1.followers.count } }

  /// Adds a follower; ``OpenSessions`` counts it.
  ///
  /// - Complexity: O(groups).
  func add(_ follower: Follower) {
    if let group = followerGroups.firstIndex(where: { $0.options == follower.options }) {
      followerGroups[group].followers.append(follower)
    } else {
      followerGroups.append(FollowerGroup(options: follower.options, followers: [follower]))
    }
  }

  /// Removes a follower; ``OpenSessions`` counts it.
  ///
  /// - Complexity: O(followers).
  func remove(_ follower: Follower) {
    guard let group = followerGroups.firstIndex(where: { $0.options == follower.options }) else {
      return
    }
    followerGroups[group].followers.removeAll { $0 === follower }
    if followerGroups[group].followers.isEmpty { followerGroups.remove(at: group) }
  }
}

/// The numbers of followed sessions, of their followers and of groups of these.
struct FollowerCount {
  /// The number of sessions with followers.
  private(set) var sessions = 0
  /// The number of groups of all sessions.
  private(set) var groups = 0
  /// The number of followers of all sessions.
  private(set) var followers = 0

  mutating func add(_ session: OpenSession) {
    sessions += session.followerGroups.isEmpty ? 0 : 1
    groups += session.followerGroups.count
    followers += session.followerCount
  }

  mutating func remove(_ session: OpenSession) {
    sessions -= session.followerGroups.isEmpty ? 0 : 1
    groups -= session.followerGroups.count
    followers -= session.followerCount
  }
}
