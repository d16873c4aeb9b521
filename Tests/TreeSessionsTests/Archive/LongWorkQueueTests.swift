import Synchronization
import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// A queue with a database, in which a long entry waits.
struct LongWorkQueueTests {
  /// A queue, and the order in which its works are acknowledged.
  private final class Bench: Sendable {
    let folder: TemporaryFolder
    let storage: SQLiteStorage
    let queue: CommitQueue
    let trees: [LockedTree]
    let desk = Desk()
    private let store = SessionStore()
    private let outcomes = Mutex<[(name: String, outcome: ReceiptOutcome?)]>([])

    init() throws {
      folder = try TemporaryFolder()
      let storage = try SQLiteStorage(folder: folder.path)
      self.storage = storage
      trees = try (0..<3).map { [store] in try store.find(store.make("t\($0)")) }
      queue = CommitQueue(
        storage,
        unwritten: UnwrittenBytes(limit: 1 << 30),
        clock: { 0 },
        assign: { [desk] in desk.assign($0) }
      )
      for number in 1...3 {
        let id = try #require(TreeID(validating: "s\(number)".utf8))
        let tree = StoredTree(number: TreeNumber(number), id: id, isPrivate: false, about: [])
        try storage.commit([.makeTree(tree)])
      }
    }

    /// The names of works with their outcomes, in the order in which they became known.
    var kept: [String] { outcomes.withLock { $0.filter { $0.outcome == .kept }.map(\.name) } }
    var lost: [String] { outcomes.withLock { $0.filter { $0.outcome != .kept }.map(\.name) } }

    /// Adds an entry to a tree.
    ///
    /// - Parameter then: A function to call when its outcome is known.
    func add(
      _ name: String,
      to tree: Int?,
      entry number: Int = 1,
      bytes: Int = 10,
      then: @escaping @Sendable () -> Void = {}
    ) {
      let receipt = CommitReceipt()
      let entry = tree.map { tree in
        CommitWork.Entry(
          text: .long([UInt8](repeating: UInt8(number), count: bytes)),
          number: number,
          revision: number,
          nodeCount: 1,
          tree: TreeNumber(tree + 1)
        )
      }
      let work = CommitWork(
        tree: tree.map { trees[$0] },
        changes: tree == nil ? [.setClock(ClockReading(seconds: 1, wallSeconds: 1))] : [],
        entry: entry,
        receipt: receipt,
        bytes: bytes
      )
      receipt.whenResolved { [self] in
        outcomes.withLock { $0.append((name, receipt.outcome)) }
        then()
      }
      queue.add(of: work.tree, receipt, bytes: bytes) { $0.append(work) }
    }

    /// Adds short entries to a tree, each when the one before it is on disk.
    func addChain(to tree: Int, from number: Int, through last: Int) {
      guard number <= last else { return }
      add("short \(number)", to: tree, entry: number) { [self] in
        addChain(to: tree, from: number + 1, through: last)
      }
    }
  }

  private static let longBytes = 6 << 20

  @Test func `short works are acknowledged while a long one is written`() throws {
    let bench = try Bench()
    bench.add("long", to: 0, bytes: Self.longBytes)
    bench.add("after long", to: 0, entry: 2)
    bench.add("of no tree", to: nil)
    bench.addChain(to: 1, from: 1, through: 5)
    bench.desk.work()
    let shorts = (1...5).map { "short \($0)" }
    #expect(bench.kept == shorts + ["long", "after long", "of no tree"])
    let entries = try bench.storage.entries(of: TreeNumber(1), after: 0, bytes: .max)
    #expect(entries.map(\.body.count) == [Self.longBytes, 10])
    #expect(try bench.storage.findDamage() == [] && bench.queue.isEmpty)
  }

  @Test func `a long work that storage refuses is lost, with later ones of its tree`() throws {
    let bench = try Bench()
    bench.add("first", to: 0)
    bench.desk.work()
    bench.add("long", to: 0, bytes: Self.longBytes)
    bench.add("after long", to: 0, entry: 2)
    bench.addChain(to: 1, from: 1, through: 3)
    bench.add("other long", to: 2, bytes: Self.longBytes)
    bench.desk.work()
    #expect(bench.lost == ["long", "after long"])
    #expect(bench.kept == ["first", "short 1", "short 2", "short 3", "other long"])
    let entries = try bench.storage.entries(of: TreeNumber(3), after: 0, bytes: .max)
    #expect(entries.map(\.body.count) == [Self.longBytes])
    #expect(try bench.storage.findDamage() == [] && bench.queue.isEmpty)
  }
}
