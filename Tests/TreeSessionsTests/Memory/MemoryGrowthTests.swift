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

  @Test(arguments: [5, 500], [false, true])
  func `refusals for retries`(keyBytes: Int, isOfTree: Bool) async {
    await #expect(processExitsWith: .success) { [keyBytes, isOfTree] in
      try GrownTree.expectGrowth(nodes: 10, atLeast: 300_000) { grown throws in
        let key = String(repeating: "k", count: keyBytes)
        let batch = try Batch.decode(
          body: Array(#"{"operations":[{"op":"remove","key":"\#(key)"}]}"#.utf8)
        )
        for _ in 0..<4 {
          let session = try grown.tree.open()
          for number in 0..<(isOfTree ? 250 : 1_000) {
            var options = BatchOptions()
            let token = Array("\(session.id) \(number)".utf8)
            options.idempotency = IdempotencyKey(token: token, fingerprint: 1)
            if isOfTree {
              _ = try? grown.tree.manager.apply(batch, options, at: 0)
            } else {
              _ = try? grown.tree.manager.apply(batch, by: session, options, at: 0)
            }
          }
        }
      }
    }
  }

  @Test(arguments: ["a", "ä", "?*", "[a]", "[a-cx-z]", "a*b*"])
  func `patterns of filters`(part: String) async {
    await #expect(processExitsWith: .success) { [part] in
      try GrownTree.expectGrowth(nodes: 10, atLeast: 1 << 20) { grown throws in
        for number in 0..<80 {
          let pattern = "\(number)" + String(repeating: part, count: 1_200 / part.utf8.count)
          let filter = #"{"by":"/q","matches":"\#(pattern)"}"#
          _ = try grown.tree.open(#"{"filter":\#(filter)}"#)
        }
      }
    }
  }

  @Test(arguments: [1, 20, 400])
  func `former names of sections`(bytes: Int) async {
    await #expect(processExitsWith: .success) { [bytes] in
      try GrownTree.expectGrowth(nodes: 10, atLeast: 150_000) { grown throws in
        let names = (0...4_000).map { "\($0)" + String(repeating: "x", count: bytes) }
        try grown.tree.apply([#"{"op":"insertSection","section":"\#(names[0])"}"#])
        for (old, new) in zip(names, names.dropFirst()) {
          let rename = #"{"op":"renameSection","section":"\#(old)","to":"\#(new)"}"#
          try grown.tree.apply([rename])
        }
      }
    }
  }

  @Test func `orders of sleeping sessions`() async {
    await #expect(processExitsWith: .success) {
      try GrownTree.expectGrowth(nodes: 10, atLeast: 1 << 20) { grown throws in
        for number in 0..<800 {
          let orders = (0..<8).map { #"{"by":"/q\#(number)/\#($0)"}"# }
          let options = #"{"viewSort":[\#(orders.joined(separator: ","))]}"#
          let session = try grown.tree.open(options)
          let asleep = grown.tree.manager.putToSleep([session.id], unusedSince: .max, naming: .max)
          try #require(asleep.count == 1)
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

  @Test(arguments: [false, true])
  func `trees with few nodes`(isPrivate: Bool) async {
    await #expect(processExitsWith: .success) { [isPrivate] in
      let store = SessionStore()
      func create(_ count: Int) throws {
        for _ in 0..<count {
          if isPrivate {
            _ = try StoreUnderTest(#"{"nodes":[{"key":"a"}]}"#, in: store)
          } else {
            _ = try store.createTree(NewTree.decode(body: Array("{}".utf8)), nil)
          }
        }
      }
      try create(500)
      let (before, resident) = (store.core.usage.memory.total, try GrownTree.residentBytes())
      try create(2_000)
      let growth = try GrownTree.residentBytes() - resident
      let more = store.core.usage.memory.total - before
      #expect(abs(growth - more) * 5 <= growth, "counted \(more), resident \(growth)")
    }
  }
}
