import TreeDomain
import TreeEngine

// Making a tree from the decoded parts of an image.
extension ManagerParts {
  /// Returns a tree with its sections, sessions and stored answers, and counts the memory.
  ///
  /// - Throws: `damaged` if the parts contradict each other or the engine's tree.
  func restored(
    _ tree: consuming EngineTree,
    limits: SessionLimits,
    usage: Usage
  ) throws(ImageError) -> TreeManager {
    guard let head, head.dataCommits.newest <= tree.commitNumber else { throw .damaged }
    let sections = SectionTable(madeCount: head.sectionCount)
    let account = TreeAccount(usage)
    let content = TreeContent(head.id, limits, account, head.sort, sections, head.dataCommits, tree)
    var manager = TreeManager(content, isPrivate: head.isPrivate)
    manager.content.readSections()
    guard !manager.content.sections.all.isEmpty else { throw .damaged }
    for former in formerSections {
      manager.content.sections.restore(try restored(former, in: manager.content.tree))
    }
    var views: Set<EngineTree.ViewID> = []
    for session in sessions {
      let view = try restore(session, in: &manager)
      guard views.insert(view).inserted else { throw .damaged }
    }
    try restoreAsleep(in: &manager)
    guard manager.content.sleepingView.map(views.contains) != true else { throw .damaged }
    manager.retries = RetryCache(replays)
    manager.content.countReplays(manager.replayWeight)
    manager.countUsage()
    return manager
  }

  private func restored(
    _ former: Former,
    in tree: borrowing EngineTree
  ) throws(ImageError) -> FormerSections {
    var sections: [TreeSections.Section] = []
    for (index, name) in former.sections {
      guard let node = tree.node(numbered: index) else { throw .damaged }
      sections.append(TreeSections.Section(node: node, name: name))
    }
    guard !sections.isEmpty else { throw .damaged }
    let list = TreeSections(sections)
    let nameBytes = list.nameBytes(missingIn: TreeSections([]))
    return FormerSections(commit: former.commit, sections: list, ownNameBytes: nameBytes)
  }

  private func restore(
    _ session: Session,
    in manager: inout TreeManager
  ) throws(ImageError) -> EngineTree.ViewID {
    let order = session.options.order == .breadthFirst ? ViewOrder.breadthFirst : .depthFirst
    guard let view = manager.content.tree.view(numbered: session.view),
      manager.sessions[session.id] == nil,
      session.revisions.newestCommit <= manager.content.tree.commitNumber,
      manager.content.tree.isFiltered(view) == (session.options.filter != nil),
      manager.content.tree.order(of: view) == order
    else { throw .damaged }
    let open = OpenSession(
      id: session.id,
      view: view,
      options: session.options,
      revisions: session.revisions
    )
    open.replays = session.replays
    if !session.options.viewSort.isEmpty { manager.content.restoreOrdering(of: open) }
    manager.enter(open)
    return view
  }

  private func restoreAsleep(in manager: inout TreeManager) throws(ImageError) {
    guard let names = asleep.names else {
      guard asleep.sessions.isEmpty else { throw .damaged }
      return
    }
    guard let view = manager.content.tree.view(numbered: names.view) else { throw .damaged }
    manager.content.sleepingView = view
    manager.asleep.restore(
      toggled: try NodeNumbers(nodes(names.toggled, manager.content.tree)),
      present: try NodeNumbers(nodes(names.present, manager.content.tree))
    )
    let commits = manager.content.dataCommits.count
    for (id, session) in asleep.sessions {
      guard manager.sessions[id] == nil, try manager.asleep.restore(session, id, after: commits)
      else { throw .damaged }
    }
    manager.asleep.releaseUnused()
  }

  private func nodes(
    _ numbers: [Int],
    _ tree: borrowing EngineTree
  ) throws(ImageError) -> [NodeID] {
    var nodes: [NodeID] = []
    for number in numbers {
      guard let node = tree.node(numbered: number) else { throw .damaged }
      nodes.append(node)
    }
    return nodes
  }
}
