import TestSupport
import Testing

/// Tests that the differential run accepts the model as a service, and finds every error.
struct DifferentialRunTests {
  @Test(arguments: RandomProfile.all)
  func `the model agrees with itself in random sessions`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 4) {
      try DifferentialRun.run(
        seed: seed,
        steps: Seed.operations(default: 30),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try ServedSession(ModelService(), options: options) }
    }
  }

  @Test(arguments: RandomProfile.all)
  func `the model agrees with itself on shared trees`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 2) {
      let steps = Seed.operations(default: 25)
      try SharedTreeRun.run(seed: seed, steps: steps, profile: profile, service: ModelService())
    }
  }

  @Test(arguments: Spoiled.allCases)
  func `an error in a change list is found`(_ spoiled: Spoiled) {
    let noticed = Seed.seeds(count: 12).contains { seed in
      run(seed) { try ServedSession(ModelService(sabotage: spoiled.spoil), options: $0) }
    }
    #expect(noticed, "\(spoiled)")
  }

  @Test(arguments: [
    ("\"visibleDescendantCount\":1", "\"visibleDescendantCount\":2"),
    ("\"siblingCount\":2", "\"siblingCount\":1"), ("\"position\":1", "\"position\":0"),
    ("\"expanded\":true", "\"expanded\":false"), ("\"nodeCount\":8", "\"nodeCount\":9"),
    ("1.0", "1"), ("\"index\":null", "\"index\":0"), ("\"status\":416", "\"status\":416,"),
  ])
  func `an error in a read is found`(_ right: String, _ wrong: String) {
    let noticed = Seed.seeds(count: 12).contains { seed in
      run(seed) { options in
        let service = ModelService(spoilRead: { $0.replacing(right, with: wrong) })
        return try ServedSession(service, options: options)
      }
    }
    #expect(noticed, "\(right) became \(wrong)")
  }

  @Test func `random operations meet every refusal but the depth limit`() throws {
    var met: Set<ModelErrorCode> = []
    var (batches, refused) = (0, 0)
    for seed in Seed.seeds(count: 12) {
      var operations = RandomOperations(seed: seed, profile: .everything)
      let session = try ModelSession(operations.options())
      for _ in 0..<60 {
        batches += 1
        do {
          try session.apply(operations.batch(for: session))
        } catch {
          refused += 1
          met.insert(error.code)
        }
      }
    }
    #expect(Set(ModelErrorCode.allCases).subtracting(met) == [.depthLimit, .forbidden])
    #expect((batches / 20...batches / 5).contains(refused), "\(refused) of \(batches)")
  }

  /// Returns true if a run with the service finds a disagreement.
  private func run(_ seed: UInt64, _ makeSession: ([UInt8]) throws -> any SessionUnderTest) -> Bool
  {
    do {
      try DifferentialRun.run(seed: seed, steps: 60, makeSession: makeSession)
      return false
    } catch {
      return error is DifferentialFailure
    }
  }
}

/// Errors in the answer to a batch.
enum Spoiled: String, CaseIterable, CustomTestStringConvertible {
  case dropsDelete, dropsInsert, dropsMove, dropsUpdate, wrongIndex, wrongDepth, wrongParent
  case reversed, moveAsUpdate, extraField, wrongRevision, wrongTreeRevision, wrongRowCount
  case wrongNodeCount, splitRun, wrongRow, dropsUnloaded

  var testDescription: String { rawValue }

  func spoil(_ list: inout ChangeList) {
    switch self {
    case .dropsDelete: drop(.delete, from: &list)
    case .dropsInsert: drop(.insert, from: &list)
    case .dropsMove: drop(.move, from: &list)
    case .dropsUpdate: drop(.update, from: &list)
    case .reversed: list.entries.reverse()
    case .wrongRevision: list.revision += 1
    case .wrongTreeRevision: list.treeRevision += 1
    case .wrongRowCount: list.rowCount += 1
    case .wrongNodeCount: list.nodeCount += 1
    case .wrongRow: for index in list.entries.indices { list.entries[index].rows?.removeLast() }
    case .splitRun: splitRun(of: &list)
    case .dropsUnloaded: list.unloaded = []
    case .wrongIndex, .wrongDepth, .wrongParent, .moveAsUpdate, .extraField:
      for index in list.entries.indices { spoil(&list.entries[index]) }
    }
  }

  private func spoil(_ entry: inout ChangeList.Entry) {
    switch self {
    case .wrongIndex: if entry.kind == .move { entry.index = entry.newIndex }
    case .wrongDepth: entry.depth = entry.depth.map { $0 + 1 }
    case .wrongParent: if entry.parent?.isNull == false { entry.parent = .null }
    case .moveAsUpdate: if entry.kind == .move { entry.kind = .update }
    case .extraField: entry.fields?.append("position")
    default: break
    }
  }

  private func drop(_ kind: ChangeList.Kind, from list: inout ChangeList) {
    if let index = list.entries.firstIndex(where: { $0.kind == kind }) {
      list.entries.remove(at: index)
    }
  }

  private func splitRun(of list: inout ChangeList) {
    guard let index = list.entries.firstIndex(where: { $0.kind == .delete && $0.count == 2 })
    else { return }
    var (first, second) = (list.entries[index], list.entries[index])
    first.index = first.index.map { $0 + 1 }
    first.count = 1
    second.count = 1
    list.entries.replaceSubrange(index...index, with: [first, second])
  }
}
