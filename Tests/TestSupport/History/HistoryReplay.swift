/// A replay of the writes of a history on a model, in the order of their revisions.
///
/// Batches without an answer, or a loss, may explain the next revision in several ways. A replay
/// stops there, and each way continues on a copy.
final class HistoryReplay {
  /// A session of the model, and its revisions.
  struct Member {
    var model: ModelSession
    /// The revision of the current state in the service.
    var revision: Int
    /// The revisions of the model by revisions of the service.
    var indices: [Int: Int]
  }

  /// A way to reach the next revision of the tree.
  enum Step {
    case apply(HistoryIndex.Numbered)
    /// Applies a batch without an answer.
    case fill(Int)
    /// Continues the tree and its sessions at this revision.
    case jump(Int)
  }

  let index: HistoryIndex
  /// The revision of the tree that the replay has reached.
  private(set) var revision: Int
  /// The revision of the tree for each state of a session.
  private(set) var places: [TreeHistory.State: Int] = [:]
  private(set) var shared: ModelSharedTree?
  var members: [Int: Member] = [:]
  private var used: Set<Int> = []
  /// The refused writes that no state has explained so far.
  private var unexplained: [HistoryIndex.Refused]
  /// The number of steps so far.
  private(set) var length = 0

  init(_ index: HistoryIndex) {
    self.index = index
    revision = index.history.firstRevision
    unexplained = index.refused
  }

  /// Creates an independent replay in the same state.
  init(copying other: HistoryReplay) {
    (index, revision, places) = (other.index, other.revision, other.places)
    (used, unexplained, length) = (other.used, other.unexplained, other.length)
    guard let model = other.shared else { return }
    let copy = ModelSharedTree(sharing: model)
    shared = copy
    for session in model.sessions {
      guard let (number, member) = other.members.first(where: { $1.model === session }) else {
        continue
      }
      members[number] = member
      members[number]?.model = ModelSession(copying: session, over: copy)
    }
  }

  /// Replays the history up to the next fork, or to its end.
  ///
  /// - Parameter first: The first step; nil at the beginning.
  /// - Returns: The ways on at the fork, the most likely one first; empty at the end.
  func run(_ first: Step?) throws(HistoryChecker.Violation) -> [Step] {
    if let first {
      try perform(first)
    } else {
      do throws(ModelError) {
        shared = try ModelSharedTree(index.history.options, at: index.history.firstRevision)
      } catch {
        throw violation("the tree is refused: \(error)")
      }
    }
    while true {
      try checkRevision()
      let steps = try nextSteps()
      guard steps.count == 1 else {
        if steps.isEmpty { try checkEnd() }
        return steps
      }
      try perform(steps[0])
    }
  }

  private func checkEnd() throws(HistoryChecker.Violation) {
    if let refused = unexplained.first {
      throw violation("write \(refused.number) was refused for \(refused.error) without reason")
    }
    if let state = index.states.first(where: { places[$0] == nil }) {
      throw violation("session \(state.session) never had revision \(state.revision)")
    }
  }

  func violation(_ text: String) -> HistoryChecker.Violation {
    HistoryChecker.Violation("\(index.history.name), revision \(revision): \(text)")
  }

  // MARK: - The next revision

  /// Returns the ways to continue, the most likely one first; none if all answers are explained.
  private func nextSteps() throws(HistoryChecker.Violation) -> [Step] {
    if let write = index.data[revision + 1] { return [.apply(write)] }
    let seen = index.nextSeen(after: revision)
    let behind = members.compactMap { index.nextSeen(of: $0, after: $1.revision) }
    let open = behind + (seen.map { [$0] } ?? [])
    if open.isEmpty { return [] }
    // Two jumps with nothing seen between them are the same as one.
    let base = open.map { $0 - $0 % HistoryChecker.lossStep }.filter { $0 > revision }.min()
    let fills = index.unknown.filter(canFill).map { (number: $0, time: time(toNeed: $0)) }
      .sorted { ($0.time, -$0.number) < ($1.time, -$1.number) }
    var steps = fills.map { Step.fill($0.number) }
    if let base, open.allSatisfy({ $0 >= base }) {
      let isOwed = index.unknown.contains { !used.contains($0) && isNeeded($0, at: base) }
      // Batches that were applied just before a jump are rare, so they are tried last.
      if !isOwed { steps.insert(.jump(base), at: 0) }
    }
    guard !steps.isEmpty else { throw violation("no write explains revision \(revision + 1)") }
    return steps
  }

  /// Returns true if a batch without an answer can have made the next revision.
  private func canFill(_ number: Int) -> Bool {
    let write = index.history.writes[number]
    guard !used.contains(number), write.changesTree,
      write.sent < index.firstTime(of: revision + 1)
    else { return false }
    return refusal(of: write) == nil
  }

  /// Returns true if answers show a batch that they would not show after a jump to a revision.
  private func isNeeded(_ number: Int, at base: Int) -> Bool {
    guard let need = index.needs[number] else { return false }
    return need.tree <= base || need.sessions.contains { members[$0] != nil && $1 <= base }
  }

  /// Returns the number of revisions up to the first answer that shows a batch.
  private func time(toNeed number: Int) -> Int {
    guard let need = index.needs[number] else { return .max }
    var time = need.tree == .max ? .max : need.tree - revision
    for (session, last) in need.sessions {
      if let member = members[session] { time = min(time, last - member.revision) }
    }
    return time
  }

  /// Returns the error with which the model refuses a write now.
  private func refusal(of write: TreeHistory.Write) -> ModelError? {
    let session = write.session.flatMap { members[$0]?.model }
    if write.session != nil, session == nil { return ModelError(code: .forbidden, operation: 0) }
    do throws(ModelError) {
      _ = try shared?.apply(write.operations, of: session, isDryRun: true)
      return nil
    } catch { return error }
  }

  private func perform(_ step: Step) throws(HistoryChecker.Violation) {
    length += 1
    switch step {
    case .jump(let base):
      revision = base
      for number in members.keys { enter(base, number) }
    case .fill(let number):
      used.insert(number)
      try apply(index.history.writes[number], number, list: nil)
    case .apply(let numbered):
      try apply(numbered.write, numbered.number, list: numbered.list)
    }
  }

  private func enter(_ revision: Int, _ number: Int) {
    guard let model = members[number]?.model else { return }
    members[number]?.revision = revision
    members[number]?.indices[revision] = model.revision
  }

  /// Applies a batch that makes the next revision of the tree.
  private func apply(
    _ write: TreeHistory.Write,
    _ number: Int,
    list: ChangeList?
  ) throws(HistoryChecker.Violation) {
    let member = write.session.flatMap { members[$0] }
    if write.session != nil, member == nil {
      throw violation("write \(number) is by a session that does not exist yet")
    }
    let before = member?.model.picture
    let outcome: ModelOutcome
    do throws(ModelError) {
      guard let shared else { return }
      outcome = try shared.apply(write.operations, of: member?.model).outcome
    } catch {
      throw violation("write \(number) was applied, but must be refused: \(error)")
    }
    guard outcome.treeChanged else { throw violation("write \(number) did not change the tree") }
    revision += 1
    for (number, member) in members { enter(member.revision + 1, number) }
    guard let list else { return }
    let previous = member?.revision ?? revision - 1
    let found = (list.previousRevision, list.revision, list.nodeCount)
    let expected = (previous, previous + 1, shared?.nodeCount ?? 0)
    guard found == expected else {
      throw violation("write \(number) has \(found), not \(expected)")
    }
    if let before, let member {
      try compare(list, before, member.model, outcome.moves, "write \(number)")
    }
  }

  // MARK: - The current revision of the tree

  /// Creates sessions, applies writes of views, and compares reads at the current revision.
  private func checkRevision() throws(HistoryChecker.Violation) {
    for number in index.made[revision] ?? [] { try makeSession(number) }
    for number in index.trees[revision] ?? [] { try compareTree(number) }
    for number in members.keys.sorted() { try checkSession(number) }
    unexplained.removeAll { refused in
      refused.revisions.contains(revision) && refusal(of: refused.write) == refused.error
    }
    if let late = unexplained.first(where: { $0.revisions.upperBound < revision }) {
      throw violation("write \(late.number) was refused for \(late.error) without reason")
    }
  }

  private func makeSession(_ number: Int) throws(HistoryChecker.Violation) {
    guard let shared else { return }
    let session = index.history.sessions[number]
    do throws(ModelError) {
      let model = try ModelSession(session.options, over: shared)
      members[number] = Member(model: model, revision: session.revision, indices: [:])
      enter(session.revision, number)
    } catch {
      throw violation("session \(number) was made, but must be refused: \(error)")
    }
  }

  /// Checks the states of a session at the current revision of the tree, one after the other.
  private func checkSession(_ number: Int) throws(HistoryChecker.Violation) {
    while let member = members[number] {
      let state = TreeHistory.State(session: number, revision: member.revision)
      places[state] = revision
      for read in index.reads[state] ?? [] { try compareRead(read, member) }
      let writes = index.views[state] ?? []
      for write in writes where write.list.revision == member.revision {
        try applyToView(write, member)
      }
      guard let next = writes.first(where: { $0.list.revision != member.revision }) else { return }
      try applyToView(next, member)
      enter(member.revision + 1, number)
    }
  }

  /// Applies a batch that changes at most a view.
  private func applyToView(
    _ write: HistoryIndex.Numbered,
    _ member: Member
  ) throws(HistoryChecker.Violation) {
    let before = member.model.picture
    let outcome: ModelOutcome
    do throws(ModelError) { outcome = try member.model.apply(write.write.operations) } catch {
      throw violation("write \(write.number) was applied, but must be refused: \(error)")
    }
    let list = write.list
    let raises = outcome.stateChanged || outcome.ruleChanged
    let found = (list.revision, list.treeRevision, list.nodeCount)
    let expected = (member.revision + (raises ? 1 : 0), revision, member.model.nodeCount)
    guard found == expected else {
      throw violation("write \(write.number) has \(found), not \(expected)")
    }
    try compare(list, before, member.model, outcome.moves, "write \(write.number)")
  }
}
