import CLinux
import Glibc
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Memory of each kind that a tree holds is counted as what a process takes for it.
///
/// Each kind has a process of its own. `MemoryKindTests` compares the same, and what the rest of
/// the service holds, at a larger size.
@Suite(.serialized) struct `Memory that a tree counts` {
  @Test func `nodes without objects`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(atLeast: 4 << 20) { grown throws in
        grown.others.append(HeldTree(try MeteredTree(GrownTree.body(80 * grown.count))))
      }
    }
  }

  @Test func `keys and objects`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(atLeast: 8 << 20) { grown throws in
        let tree = try MeteredTree(GrownTree.body(20 * grown.count, objectBytes: 500))
        grown.others.append(HeldTree(tree))
      }
    }
  }

  @Test func `sessions`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 100, atLeast: 4 << 20) { grown throws in
        for _ in 0..<3_000 { _ = try grown.tree.open() }
      }
    }
  }

  @Test func `toggled nodes`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 10_000, isPaired: true, atLeast: 4 << 20) { grown throws in
        for _ in 0..<7 {
          let session = try grown.tree.open(#"{"expansion":"none"}"#)
          let expand = #"{"op":"expand","key":"r","levels":"all"}"#
          try grown.tree.apply([expand], by: session, format: .none)
        }
        // Past changes are another kind.
        grown.tree.manager.content.tree.forgetHistory(
          through: grown.tree.manager.content.tree.commitNumber
        )
      }
    }
  }

  @Test func `rows of filters and orders`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 20_000, atLeast: 4 << 20) { grown throws in
        for number in 0..<4 {
          let filter = #"{"not":{"by":"/q","equals":\#(number)}}"#
          _ = try grown.tree.open(#"{"order":"breadthFirst","filter":\#(filter)}"#)
        }
      }
    }
  }

  @Test func `orders of siblings`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 30_000, atLeast: 4 << 20) { grown throws in
        for order in ["ascending", "descending"] {
          for by in ["/q", "#key"] {
            _ = try grown.tree.open(
              #"{"viewSort":[{"by":"\#(by)","direction":"\#(order)"}],"expansion":"none"}"#
            )
          }
        }
      }
    }
  }

  @Test func `selected nodes`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 40_000, atLeast: 4 << 20) { grown throws in
        let select = #"{"op":"select","subtree":"r"}"#
        for _ in 0..<16 {
          let session = try grown.tree.open(#"{"selection":"multiple"}"#)
          try grown.tree.apply([select], by: session, format: .none)
        }
        grown.tree.manager.content.tree.forgetHistory(
          through: grown.tree.manager.content.tree.commitNumber
        )
      }
    }
  }

  @Test func `past changes`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 5_000, isPaired: true, atLeast: 1_250_000) { grown throws in
        let session = try grown.tree.open()
        for step in 0..<40 {
          let nodes = stride(from: step % 3 * 2, to: grown.count, by: 6)
          let toggles = nodes.map { #"{"op":"toggle","key":"k\#($0)"}"# }
          try grown.tree.apply(toggles, by: session, format: .none)
        }
      }
    }
  }

  @Test func `what a running transaction would undo`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 40_000, atLeast: 4 << 20) { grown throws in
        let parent = try grown.tree.manager.content.find(Array("r".utf8)[...])
        grown.tree.manager.begin()
        for node in try grown.tree.manager.content.tree.children(
          of: parent,
          counting: grown.tree.manager.meter
        ) {
          let object = Array(#"{"q":100,"t":"new"}"#.utf8)
          grown.tree.manager.content.tree.update(node, object: object.span)
        }
      }
    }
  }

  @Test func `what a running sort would undo`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 40_000, atLeast: 2 << 20) { grown throws in
        let parent = try grown.tree.manager.content.find(Array("r".utf8)[...])
        grown.tree.manager.begin()
        for _ in 0..<8 {
          let children = try grown.tree.manager.content.tree.children(
            of: parent,
            counting: grown.tree.manager.meter
          )
          try grown.tree.manager.content.tree.arrange(children: children.reversed(), of: parent) {
            _ in
          }
        }
      }
    }
  }

  @Test func `answers for retries`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 400, atLeast: 4 << 20) { grown throws in
        let session = try grown.tree.open()
        for number in 0..<200 {
          var options = BatchOptions()
          options.idempotency = IdempotencyKey(token: Array("key \(number)".utf8), fingerprint: 1)
          let operation = number % 2 == 0 ? "collapseAll" : "expandAll"
          let batch = try Batch.decode(
            body: Array(#"{"operations":[{"op":"\#(operation)"}]}"#.utf8)
          )
          _ = try grown.tree.manager.apply(batch, by: session, options, at: 0)
        }
      }
    }
  }
}

/// A reference to a tree.
private final class HeldTree {
  let tree: MeteredTree

  init(_ tree: consuming MeteredTree) { self.tree = tree }
}

/// A tree whose counted memory is compared with that of the process.
private struct GrownTree: ~Copyable {
  var tree: MeteredTree
  /// The number of nodes below the root.
  let count: Int
  /// Other trees, which count as well.
  var others: [HeldTree] = []

  private init(nodes count: Int, isPaired: Bool) throws(ServiceError) {
    var limits = SessionLimits()
    limits.history.rows = 1_000_000
    limits.history.totalRows = 100_000_000
    self.count = count
    tree = try MeteredTree(Self.body(count, isPaired: isPaired), limits: limits)
  }

  /// Returns the body of a tree of nodes below one root.
  ///
  /// - Parameters:
  ///   - count: The number of nodes.
  ///   - objectBytes: The length of a text in each object; 0 for short objects.
  ///   - isPaired: True if each second node is below the one before it.
  static func body(_ count: Int, objectBytes: Int = 0, isPaired: Bool = false) -> String {
    let text = String(repeating: "x", count: objectBytes)
    func node(_ number: Int, _ rest: String = "") -> String {
      #"{"key":"k\#(number)","object":{"q":\#(number * 7 % 97),"t":"\#(text)"}\#(rest)}"#
    }
    let nodes =
      isPaired
      ? stride(from: 0, to: count, by: 2).map { node($0, #","children":[\#(node($0 + 1))]"#) }
      : (0..<count).map { node($0) }
    return #"{"nodes":[{"key":"r","children":[\#(nodes.joined(separator: ","))]}]}"#
  }

  private var counted: Int {
    others.reduce(tree.manager.held.bytes) { $0 + $1.tree.manager.held.bytes }
  }

  /// Expects that counted memory grows as that of the process does, within a fifth.
  ///
  /// A smaller tree grows first, so that what a process allocates once is not compared.
  ///
  /// - Parameters:
  ///   - count: The number of nodes below the root of the tree.
  ///   - isPaired: True if each second node is below the one before it.
  ///   - bytes: The least growth that is compared.
  ///   - grow: Makes a tree grow.
  static func expectGrowth(
    nodes count: Int = 1_000,
    isPaired: Bool = false,
    atLeast bytes: Int,
    _ grow: (inout GrownTree) throws -> Void
  ) throws {
    // As in the service; otherwise what a freed block leaves of the heap depends on earlier ones.
    _ = mallopt(M_MMAP_THRESHOLD, 1 << 20)
    var first = try GrownTree(nodes: count / 8, isPaired: isPaired)
    try grow(&first)
    var grown = try GrownTree(nodes: count, isPaired: isPaired)
    let (before, resident) = (grown.counted, try residentBytes())
    try grow(&grown)
    let (more, growth) = (grown.counted - before, try residentBytes() - resident)
    #expect(more > bytes, "\(more) bytes are too few to compare")
    #expect(abs(growth - more) * 5 <= growth, "counted \(more), resident \(growth)")
    #expect(first.counted > 0, "the first tree is held until here")
  }

  /// Returns the resident memory of this process, without files and what the allocator gives back.
  private static func residentBytes() throws -> Int {
    _ = malloc_trim(0)
    let file = unsafe open("/proc/self/statm", O_RDONLY)
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 256)
    let count = unsafe text.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
    let fields = String(decoding: text.prefix(max(0, count)), as: UTF8.self).split(separator: " ")
    let pages = fields.compactMap { Int($0) }
    try #require(pages.count > 2)
    return (pages[1] - pages[2]) * Int(getpagesize())
  }
}
