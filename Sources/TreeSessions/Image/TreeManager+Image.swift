import TreeDomain
import TreeEngine

extension TreeManager {
  /// All that is to be kept of the tree and its sessions when the process ends.
  ///
  /// Followers are not part of it, nor what is known about sorted siblings.
  ///
  /// - Precondition: No transaction is running, and the tree has not ended.
  /// - Complexity: O(sessions, and the revisions each keeps); see ``SizedTree/image()``.
  func image() -> ManagerImage { ManagerImage(of: self) }

  func writeHead(to writer: inout ByteWriter) {
    precondition(!hasEnded, "the tree has ended")
    writer.append(string: id.bytes[...])
    writer.append(isPrivate)
    writer.append(sort)
    writer.append(number: sectionCount)
    dataCommits.write(to: &writer)
  }

  /// A tree out of an image, as yet without what ``restore(_:)`` adds.
  init(
    _ head: ManagerParts.Head,
    _ tree: consuming EngineTree,
    limits: SessionLimits,
    usage: Usage
  ) {
    id = head.id
    isPrivate = head.isPrivate
    sort = head.sort
    sectionCount = head.sectionCount
    dataCommits = head.dataCommits
    self.limits = limits
    self.usage = usage
    self.tree = tree
  }

  /// Takes back sections, sessions and kept answers, and counts the bytes.
  ///
  /// - Throws: `damaged` when they do not go with the tree.
  mutating func restore(_ parts: ManagerParts) throws(ImageError) {
    guard dataCommits.newest <= tree.commitNumber else { throw .damaged }
    readSections()
    guard !sections.all.isEmpty else { throw .damaged }
    for former in parts.formerSections { try restore(former) }
    for session in parts.sessions { try restore(session) }
    replays = parts.replays
    countUsage()
  }

  private mutating func restore(_ former: ManagerParts.Former) throws(ImageError) {
    var sections: [TreeSections.Section] = []
    for (index, name) in former.sections {
      guard let node = tree.node(numbered: index) else { throw .damaged }
      sections.append(TreeSections.Section(node: node, name: name))
    }
    guard !sections.isEmpty else { throw .damaged }
    formerSections.append(
      FormerSections(commit: former.commit, sections: TreeSections(sections))
    )
  }

  private mutating func restore(_ session: ManagerParts.Session) throws(ImageError) {
    guard let view = tree.view(numbered: session.view),
      sessions[session.id] == nil, sessions.values.allSatisfy({ $0.view != view }),
      session.revisions.newestCommit <= tree.commitNumber,
      tree.isFiltered(view) == (session.options.filter != nil),
      tree.order(of: view) == (session.options.order == .breadthFirst ? .breadthFirst : .depthFirst)
    else { throw .damaged }
    let open = OpenSession(
      id: session.id,
      view: view,
      options: session.options,
      revisions: session.revisions
    )
    open.replays = session.replays
    sessions[session.id] = open
  }
}
