import TestSupport
import TreeDomain

/// Generates random commits like those of the service.
struct RandomChanges {
  private struct Tree {
    var entries = 0
    var snapshot: StoredSnapshot?
    var floor = 0
    var sessions: [SessionID] = []
  }

  var random: SeededGenerator
  private var trees: [Int: Tree] = [:]
  private var sessions: [SessionID] = []
  private var next = 1
  private var time = 0
  /// The size of occasional long entries in bytes.
  private let longEntryBytes: Int

  init(seed: UInt64, longEntryBytes: Int = 1_500) {
    random = SeededGenerator(seed: seed)
    self.longEntryBytes = longEntryBytes
  }

  mutating func commit() -> [StorageChange] {
    time += random.number(in: 0...3)
    // A large number gives entries of several trees.
    return (0..<random.number(in: 1...(random.oneIn(4) ? 30 : 5))).flatMap { _ in change() }
  }

  private mutating func change() -> [StorageChange] {
    guard let number = trees.keys.sorted().randomElement(using: &random), !random.oneIn(9) else {
      return make()
    }
    let tree = TreeNumber(number)
    switch random.number(in: 0...13) {
    case 0: return random.oneIn(3) ? delete(number) : []
    case 1: return [.describeTree(tree, about: [UInt8(truncatingIfNeeded: time)])]
    case 2...3: return addPart(number)
    case 4: return finish(number)
    case 5...6: return enterSession(number)
    case 7:
      guard let id = random.element(of: trees[number]?.sessions ?? []) else { return [] }
      return [.removeSession(id, expired: random.oneIn(2))]
    case 8...9:
      let token = [UInt8(truncatingIfNeeded: random.number(in: 0...5))]
      var creation = StoredCreation(token: token, time: time, body: token + token)
      creation.forgotten = time - 10
      return [.keepCreation(creation)]
    default: return append(number)
    }
  }

  private mutating func make() -> [StorageChange] {
    defer { next += 1 }
    trees[next] = Tree()
    return [.makeTree(sample(next, "t\(next)", isPrivate: random.oneIn(3)))] + append(next)
  }

  private mutating func delete(_ number: Int) -> [StorageChange] {
    trees[number] = nil
    return [.deleteTree(TreeNumber(number))]
  }

  private mutating func append(_ number: Int) -> [StorageChange] {
    trees[number]?.entries += 1
    let entry = sample(
      trees[number]?.entries ?? 1,
      bytes: random.oneIn(9) ? longEntryBytes : random.number(in: 0...40)
    )
    return [.append(entry, to: TreeNumber(number))]
  }

  private mutating func addPart(_ number: Int) -> [StorageChange] {
    guard let tree = trees[number] else { return [] }
    let snapshot = tree.snapshot ?? sample(upTo: tree.entries, of: number)
    var longer = snapshot
    longer.parts += 1
    trees[number]?.snapshot = longer
    let bytes = [UInt8](repeating: UInt8(snapshot.parts), count: random.number(in: 0...9))
    return [.addPart(bytes, index: snapshot.parts, of: snapshot)]
  }

  private mutating func finish(_ number: Int) -> [StorageChange] {
    guard let snapshot = trees[number]?.snapshot else { return [] }
    trees[number]?.snapshot = nil
    trees[number]?.floor = snapshot.entry
    return [.finishSnapshot(snapshot)]
  }

  private mutating func enterSession(_ number: Int) -> [StorageChange] {
    let idle = random.number(in: 0...9)
    // A renewed session may have been removed, with or without its tree.
    if random.oneIn(2), let known = random.element(of: sessions) {
      return [.renewSession(known, lastUse: time, idleTimeoutSeconds: idle)]
    }
    let id = SessionID(using: &random)
    sessions.append(id)
    trees[number]?.sessions.append(id)
    return [.makeSession(sample(id, of: number, idle: idle, used: time))]
  }

  /// Returns everything that can be read, as text.
  mutating func picture(of storage: any TreeStorage) throws -> [String] {
    var lines = try storage.sharedTrees().map { "\($0)" }
    lines.append("\(try storage.trees(after: TreeNumber(0), limit: 1_000))")
    lines.append("\(try storage.nextTreeNumber()) \(try storage.sessionCount())")
    for number in 1..<max(next, 2) {
      lines.append("\(String(describing: try storage.tree(TreeNumber(number))))")
      lines.append("\(String(describing: try storage.snapshot(of: TreeNumber(number))))")
      lines.append("\(String(describing: try storage.parts(of: number)))")
      guard let tree = trees[number] else { continue }
      lines += try storage.allEntries(of: number, after: tree.floor).map(brief)
    }
    for id in sessions { lines.append("\(String(describing: try storage.session(id)))") }
    let over = try storage.sessions(expiredBefore: time, limit: 100)
    lines.append("\(over.map { "\($0)" }.sorted())")
    lines.append("\(try storage.creations())")
    return lines
  }

  /// Returns a short text that identifies an entry.
  ///
  /// All bytes of its body are equal.
  private func brief(_ entry: StoredEntry) -> String {
    let body = "\(entry.body.count) of \(entry.body.first ?? 0), \(entry.body.last ?? 0)"
    return "\(entry.number) \(entry.revision) \(entry.nodeCount) \(body)"
  }
}
