import TreeDomain
import TreeEngine

/// An immutable copy of a tree and its sessions, which is encoded while the tree changes.
///
/// The encoding begins with eight bytes for the name, and a version. Frames follow, each of which
/// begins with a byte for its kind (``ManagerFrame``). After the last frame comes the image of the
/// engine's tree (``TreeImage``).
struct ManagerImage: Sendable {
  /// A session at the time of the copy.
  struct Session: Sendable {
    var id: SessionID
    var view: EngineTree.ViewID
    var options: SessionOptions
    var revisions: [UInt8]
    var replays: Replays<SessionAnswer>
  }

  /// The next part to encode.
  private enum Part {
    case head
    case sections(next: Int)
    case replay(next: Int)
    case session(next: Int)
    case sessionReplay(session: Int, next: Int)
    case names
    case sleeping(order: [SessionID], next: Int)
    case end
    case tree
  }

  private let head: [UInt8]
  private let formerSections: [FormerSections]
  private let replays: Replays<TreeBatchAnswer>
  private let sessions: [Session]
  private let asleep: SleepingSessions
  private let sleepingView: EngineTree.ViewID?
  private var tree: TreeImage<Fanout<64>>
  private var part = Part.head

  /// Copies a tree and its sessions for storage.
  ///
  /// The copy has no followers, and does not know which siblings are sorted.
  ///
  /// - Precondition: No transaction is running, and the tree has not ended.
  /// - Complexity: O(*s*) for *s* sessions with their revisions; see also ``SizedTree/image()``.
  init(of manager: borrowing TreeManager) {
    precondition(!manager.hasEnded, "the tree has ended")
    var writer = ByteWriter()
    writer.append(string: manager.id.bytes[...])
    writer.append(manager.isPrivate)
    writer.append(manager.content.sort)
    writer.append(number: manager.content.sections.madeCount)
    manager.content.dataCommits.write(to: &writer)
    head = writer.bytes
    formerSections = manager.content.sections.former
    replays = manager.retries.answers
    sessions = manager.sessions.values.map { Session($0) }
      .sorted { $0.view.number < $1.view.number }
    asleep = manager.asleep
    sleepingView = manager.content.sleepingView
    tree = manager.content.tree.image()
  }

  /// Returns the next `count` bytes of the image, or slightly more.
  ///
  /// Returns fewer only at the end.
  ///
  /// - Complexity: O(bytes), besides that of ``TreeImage/next(atLeast:)``.
  mutating func next(atLeast count: Int) -> [UInt8] {
    var writer = ByteWriter()
    while writer.bytes.count < count {
      if case .tree = part {
        writer.append(raw: tree.next(atLeast: count - writer.bytes.count)[...])
        return writer.bytes
      }
      if case .head = part {
        writer.append(name: ManagerFrame.name, version: ManagerFrame.version)
      }
      write(to: &writer)
    }
    return writer.bytes
  }

  /// Writes the next frame of the current part, or advances to the next part.
  private mutating func write(to writer: inout ByteWriter) {
    switch part {
    case .head:
      writer.append(.head) { $0.append(raw: head[...]) }
      part = .sections(next: 0)
    case .sections(let next):
      guard next < formerSections.count else { return part = .replay(next: 0) }
      writer.append(.formerSections) { formerSections[next].write(to: &$0) }
      part = .sections(next: next + 1)
    case .replay(let next):
      guard next < replays.count else { return part = .session(next: 0) }
      writer.append(.replay) { replays.write(next, to: &$0) }
      part = .replay(next: next + 1)
    case .session(let next):
      guard next < sessions.count else { return part = .names }
      writer.append(.session) { sessions[next].write(to: &$0) }
      part = .sessionReplay(session: next, next: 0)
    case .sessionReplay(let session, let next):
      guard next < sessions[session].replays.count else {
        return part = .session(next: session + 1)
      }
      writer.append(.sessionReplay) { sessions[session].replays.write(next, to: &$0) }
      part = .sessionReplay(session: session, next: next + 1)
    case .names:
      if let view = sleepingView {
        writer.append(.names) { asleep.writeNames(view, to: &$0) }
      }
      part = .sleeping(order: asleep.sessions.keys.sorted(), next: 0)
    case .sleeping(let order, let next):
      guard next < order.count else { return part = .end }
      let former = next > 0 ? order[next - 1] : nil
      writer.append(.sleeping) { asleep.write(order[next], after: former, to: &$0) }
      part = .sleeping(order: order, next: next + 1)
    case .end:
      writer.append(.end) { $0.append(count: sessions.count) }
      part = .tree
    case .tree: break
    }
  }
}

extension ManagerImage.Session {
  fileprivate init(_ session: OpenSession) {
    var writer = ByteWriter()
    session.revisions.write(to: &writer)
    self.init(
      id: session.id,
      view: session.view,
      options: session.options,
      revisions: writer.bytes,
      replays: session.replays
    )
  }

  fileprivate func write(to writer: inout ByteWriter) {
    writer.append(string: id.bytes[...])
    writer.append(count: view.number)
    writer.append(options)
    writer.append(raw: revisions[...])
  }
}

extension FormerSections {
  fileprivate func write(to writer: inout ByteWriter) {
    writer.append(count: commit)
    writer.append(count: sections.all.count)
    for section in sections.all {
      writer.append(count: Int(section.node.index))
      writer.append(string: section.name[...])
    }
  }
}
