/// A replay of the writes of a history on a model, in the order of their revisions.
///
/// Batches without an answer, or a loss, may explain the next revision in several ways. A list of
/// choices selects one of them.
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
  private let choices: [Int]
  /// The choice at each fork, and the number of ways there.
  private var forks: [(choice: Int, count: Int)] = []

  init(_ index: HistoryIndex, choices: [Int]) {
    self.index = index
    self.choices = choices
    revision = index.history.firstRevision
    unexplained = index.refused
  }

  /// The choices that depart from this replay at one fork behind the given choices.
  var alternatives: [[Int]] {
    (choices.count..<max(forks.count, choices.count)).flatMap { place in
      (1..<forks[place].count).map { forks[..<place].map(\.choice) + [$0] }
    }
  }

  /// Replays the history.
  func run() throws(HistoryChecker.Violation) {
    do throws(ModelError) {
      shared = try ModelSharedTree(index.history.options, at: index.history.firstRevision)
    } catch {
      throw violation("the tree is refused: \(error)")
    }
    try checkRevision()
    while let step = try nextStep() {
      try perform(step)
      try checkRevision()
    }
    if let refused = unexplained.first {
      throw violation("write \(refused.number) was refused for \(refused.error) without reason")
    }
  }

  func violation(_ text: String) -> HistoryChecker.Violation {
    HistoryChecker.Violation("\(index.history.name), revision \(revision): \(text)")
  }

  // MARK: - The next revision

  /// Returns the next step; nil if all answers are explained.
  private func nextStep() throws(HistoryChecker.Violation) -> Step? {
    if let write = index.data[revision + 1] { return .apply(write) }
    let seen = index.nextSeen(after: revision)
    let isBehind = members.contains { $1.revision < index.lastRevisions[$0] ?? .min }
    guard seen != nil || isBehind else { return nil }
    var steps: [Step] = []
    if let next = seen ?? sessionSeen {
      let base = next - next % HistoryChecker.lossStep
      if base > revision + 1 { steps.append(.jump(base)) }
    }
    // Batches that were applied just before a jump are rare, so they are tried last.
    steps += index.unknown.filter(canFill).map(Step.fill)
    guard !steps.isEmpty else {
      throw violation("no write explains revision \(revision + 1)")
    }
    return steps[choose(of: steps.count)]
  }

  /// The lowest seen revision of a session that was not reached.
  private var sessionSeen: Int? {
    index.reads.keys.filter { $0.revision > members[$0.session]?.revision ?? .max }
      .map(\.revision).min()
  }

  private func choose(of count: Int) -> Int {
    guard count > 1 else { return 0 }
    let choice = forks.count < choices.count ? choices[forks.count] : 0
    forks.append((choice, count))
    return choice
  }

  /// Returns true if a batch without an answer can have made the next revision.
  private func canFill(_ number: Int) -> Bool {
    let write = index.history.writes[number]
    guard !used.contains(number), write.changesTree,
      write.sent < index.firstTime(of: revision + 1)
    else { return false }
    return refusal(of: write) == nil
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
