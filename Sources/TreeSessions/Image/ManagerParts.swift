import TreeDomain
import TreeEngine

/// The decoded frames of an image, with everything except the engine's tree.
struct ManagerParts {
  /// The properties of the tree.
  struct Head {
    var id: TreeID
    var isPrivate: Bool
    var sort: SortOrder
    var sectionCount: UInt64
    var dataCommits: DataCommits
  }

  /// The sections before a commit: the indexes of their nodes, and their names.
  struct Former {
    var commit: Int
    var sections: [(node: Int, name: [UInt8])] = []
  }

  /// A session, with the number of its view.
  struct Session {
    var id: SessionID
    var view: Int
    var options: SessionOptions
    var revisions: RevisionLog
    var replays = Replays<SessionAnswer>()
  }

  private(set) var head: Head?
  private(set) var formerSections: [Former] = []
  private(set) var replays = Replays<TreeBatchAnswer>()
  private(set) var sessions: [Session] = []
  private(set) var asleep = SleepingParts()

  /// Decodes a frame.
  ///
  /// - Returns: False if it was the last frame.
  /// - Throws: `damaged`.
  mutating func read(_ frame: inout ByteReader) throws(ImageError) -> Bool {
    guard let kind = ManagerFrame(rawValue: try frame.byte()), (head == nil) == (kind == .head)
    else { throw .damaged }
    switch kind {
    case .head: head = try Head(from: &frame)
    case .formerSections: formerSections.append(try Former(from: &frame))
    case .replay: try replays.restore(from: &frame)
    case .session:
      guard let head else { throw .damaged }
      sessions.append(try Session(from: &frame, head.dataCommits))
    case .sessionReplay:
      guard !sessions.isEmpty else { throw .damaged }
      try sessions[sessions.count - 1].replays.restore(from: &frame)
    case .names: try asleep.readNames(&frame)
    case .sleeping: try asleep.readSession(&frame)
    case .end:
      guard try frame.count() == sessions.count else { throw .damaged }
    }
    guard frame.isAtEnd else { throw .damaged }
    return kind != .end
  }
}

extension ManagerParts.Head {
  fileprivate init(from reader: inout ByteReader) throws(ImageError) {
    id = try reader.treeID()
    isPrivate = try reader.bool()
    sort = try reader.sortOrder()
    sectionCount = try reader.number()
    dataCommits = try DataCommits(from: &reader)
  }
}

extension ManagerParts.Former {
  fileprivate init(from reader: inout ByteReader) throws(ImageError) {
    commit = try reader.count()
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      let node = try reader.count()
      sections.append((node, Array(try reader.string())))
    }
  }
}

extension ManagerParts.Session {
  fileprivate init(
    from reader: inout ByteReader,
    _ data: DataCommits
  ) throws(ImageError) {
    id = try reader.sessionID()
    view = try reader.count()
    options = try reader.sessionOptions()
    revisions = try RevisionLog(from: &reader, data)
  }
}
