import TreeDomain
import TreeEngine

extension TreeManager {
  /// Returns a copy of the tree and its sessions for storage.
  ///
  /// The copy has no followers, and does not know which siblings are sorted.
  ///
  /// - Precondition: No transaction is running, and the tree has not ended.
  /// - Complexity: O(*s*) for *s* sessions with their revisions; see also ``SizedTree/image()``.
  func image() -> ManagerImage { ManagerImage(of: self) }

  func writeHead(to writer: inout ByteWriter) {
    precondition(!hasEnded, "the tree has ended")
    writer.append(string: id.bytes[...])
    writer.append(isPrivate)
    writer.append(sort)
    writer.append(number: sectionCount)
    dataCommits.write(to: &writer)
  }

  /// Makes a tree from an image.
  ///
  /// ``restore(_:)`` must be called next.
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

  /// Restores sections, sessions and stored answers, and counts the memory.
  ///
  /// - Throws: `damaged` if they contradict the tree.
  mutating func restore(_ parts: ManagerParts) throws(ImageError) {
    guard dataCommits.newest <= tree.commitNumber else { throw .damaged }
    readSections()
    guard !sections.all.isEmpty else { throw .damaged }
    for former in parts.formerSections { try restore(former) }
    var views: Set<EngineTree.ViewID> = []
    for session in parts.sessions {
      let view = try restore(session)
      guard views.insert(view).inserted else { throw .damaged }
    }
    try restore(parts.asleep)
    guard asleep.view.map(views.contains) != true else { throw .damaged }
    replays = parts.replays
    countReplays(replayWeight)
    countUsage()
  }

  private mutating func restore(_ former: ManagerParts.Former) throws(ImageError) {
    var sections: [TreeSections.Section] = []
    for (index, name) in former.sections {
      guard let node = tree.node(numbered: index) else { throw .damaged }
      sections.append(TreeSections.Section(node: node, name: name))
    }
    guard !sections.isEmpty else { throw .damaged }
    let list = TreeSections(sections)
    let nameBytes = list.nameBytes(missingIn: TreeSections([]))
    formerSections.append(
      FormerSections(commit: former.commit, sections: list, ownNameBytes: nameBytes)
    )
  }

  private mutating func restore(
    _ session: ManagerParts.Session
  ) throws(ImageError) -> EngineTree.ViewID {
    guard let view = tree.view(numbered: session.view),
      sessions[session.id] == nil,
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
    if !session.options.viewSort.isEmpty { restoreOrdering(of: open) }
    enter(open)
    return view
  }

  private mutating func restore(_ parts: SleepingParts) throws(ImageError) {
    guard let names = parts.names else {
      guard parts.sessions.isEmpty else { throw .damaged }
      return
    }
    guard let view = tree.view(numbered: names.view) else { throw .damaged }
    asleep.view = view
    asleep.toggled = try NodeNumbers(nodes(names.toggled))
    asleep.present = try NodeNumbers(nodes(names.present))
    for (id, session) in parts.sessions {
      guard sessions[id] == nil, try asleep.restore(session, id, after: dataCommits.count) else {
        throw .damaged
      }
    }
    asleep.releaseUnused()
  }

  private func nodes(_ numbers: [Int]) throws(ImageError) -> [NodeID] {
    var nodes: [NodeID] = []
    for number in numbers {
      guard let node = tree.node(numbered: number) else { throw .damaged }
      nodes.append(node)
    }
    return nodes
  }
}
