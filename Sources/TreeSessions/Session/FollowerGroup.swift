import TreeDomain

/// Those who follow a session and want the same said of each change, which is put together once.
struct FollowerGroup {
  let options: BatchOptions
  fileprivate(set) var followers: [Follower]
}

extension OpenSession {
  /// Everybody who follows the session.
  var followers: [Follower] { followerGroups.flatMap(\.followers) }

  /// - Complexity: O(groups).
  fileprivate func add(_ follower: Follower) {
    if let group = followerGroups.firstIndex(where: { $0.options == follower.options }) {
      followerGroups[group].followers.append(follower)
    } else {
      followerGroups.append(FollowerGroup(options: follower.options, followers: [follower]))
    }
  }

  /// - Complexity: O(followers).
  fileprivate func remove(_ follower: Follower) {
    guard let group = followerGroups.firstIndex(where: { $0.options == follower.options }) else {
      return
    }
    followerGroups[group].followers.removeAll { $0 === follower }
    if followerGroups[group].followers.isEmpty { followerGroups.remove(at: group) }
  }
}

/// How many answers each change of a tree takes that are told to somebody.
struct FollowerCount {
  /// Sessions that somebody follows.
  private(set) var sessions = 0
  /// The groups of all sessions.
  private(set) var groups = 0

  mutating func add(_ session: OpenSession) {
    sessions += session.followerGroups.isEmpty ? 0 : 1
    groups += session.followerGroups.count
  }

  mutating func remove(_ session: OpenSession) {
    sessions -= session.followerGroups.isEmpty ? 0 : 1
    groups -= session.followerGroups.count
  }
}

extension TreeManager {
  /// How many answers each change of the nodes takes, told or not: one a session, and one more for
  /// each other way in which its followers want it.
  var audience: Int { sessions.count + followed.groups - followed.sessions }

  mutating func add(_ follower: Follower, to session: OpenSession) {
    followed.remove(session)
    session.add(follower)
    followed.add(session)
  }

  mutating func remove(_ follower: Follower, of session: OpenSession) {
    followed.remove(session)
    session.remove(follower)
    followed.add(session)
  }
}
