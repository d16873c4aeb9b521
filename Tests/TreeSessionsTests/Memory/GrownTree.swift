import CLinux
import Glibc
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// A reference to a tree.
final class HeldTree {
  let tree: MeteredTree

  init(_ tree: consuming MeteredTree) { self.tree = tree }
}

/// A tree whose counted memory is compared with that of the process.
struct GrownTree: ~Copyable {
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
    allocateAsService()
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

  /// Sets the allocator as the service does.
  ///
  /// Otherwise what a freed block leaves of the heap depends on earlier ones.
  static func allocateAsService() { _ = mallopt(M_MMAP_THRESHOLD, 1 << 20) }

  /// Returns the resident memory of this process, without files and what the allocator gives back.
  static func residentBytes() throws -> Int {
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
