import Testing
import TreeDomain

@testable import TreeSessions

/// Memory that a store holds besides its trees is counted as what a process takes for it.
extension `Memory that a tree counts` {
  @Test(arguments: [1, 20, 400], [false, true])
  func `sections`(bytes: Int, isInserted: Bool) async {
    await #expect(processExitsWith: .success) { [bytes, isInserted] in
      GrownTree.allocateAsService()
      var limits = SessionLimits()
      limits.maxSectionNameBytes = .max
      let store = SessionStore(limits: limits)
      let text = String(repeating: "x", count: bytes)
      func make(_ count: Int) throws {
        let names = (0..<count).map { #""\#($0)\#(text)""# }
        let first = isInserted ? names.prefix(1) : names[...]
        let body = #"{"sections":[\#(first.joined(separator: ","))],"nodes":[]}"#
        let new = try NewTree.decode(body: Array(body.utf8))
        let tree = SharedStore(store: store, tree: try store.createTree(new, nil).description.tree)
        guard isInserted else { return }
        for start in stride(from: 1, to: names.count, by: 1_000) {
          let part = names[start..<min(start + 1_000, names.count)]
          try tree.apply(
            part.map { #"{"op":"insertSection","section":\#($0)}"# }.joined(separator: ",")
          )
        }
      }
      try make(1_000)
      let (before, resident) = (store.core.usage.memory.total, try GrownTree.residentBytes())
      try make(9_000)
      let growth = try GrownTree.residentBytes() - resident
      let more = store.core.usage.memory.total - before
      #expect(abs(growth - more) * 5 <= growth, "counted \(more), resident \(growth)")
    }
  }
}
