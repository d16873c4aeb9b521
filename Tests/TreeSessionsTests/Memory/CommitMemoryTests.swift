import TestSupport
import Testing
import TreeDomain
import TreeStorage

@testable import TreeSessions

/// Checks that entries count as memory until they are written to the disk.
@Suite struct CommitMemoryTests {
  @Test func `entries that wait to be written count with their bytes`() throws {
    let desk = Desk()
    let store = try SessionStore(
      storage: MemoryStorage(),
      clock: { 0 },
      commit: { desk.assign($0) }
    )
    let tree = try store.make("t")
    desk.work()
    #expect(store.core.usage.memory.bytes[.commits] == 0)
    let object = String(repeating: "x", count: 1_000_000)
    for number in 0..<8 {
      let insertion = #"{"op":"insert","key":"k\#(number)","object":"\#(object)"}"#
      try SharedStore(store: store, tree: tree).apply(insertion)
    }
    let waiting = store.core.usage.memory.bytes[.commits]
    #expect((8_000_000...9_600_000).contains(waiting), "\(waiting)")
    desk.work()
    #expect(store.core.usage.memory.bytes[.commits] == 0)
  }

  @Test func `descriptions that wait to be written count with their bytes`() throws {
    let desk = Desk()
    let store = try SessionStore(
      storage: MemoryStorage(),
      clock: { 0 },
      commit: { desk.assign($0) }
    )
    let names = (100..<500).map { "\"\($0)\(String(repeating: "s", count: 497))\"" }
    let body = #"{"sections":[\#(names.joined(separator: ","))]}"#
    let new = try NewTree.decode(body: Array(body.utf8))
    let tree = try store.createTree(new, nil).description.tree
    desk.work()
    let rename = #"{"op":"renameSection","section":\#(names[0]),"to":"new"}"#
    try SharedStore(store: store, tree: tree).apply(rename)
    #expect(200_000...300_000 ~= store.core.usage.memory.bytes[.commits])
    desk.work()
    #expect(store.core.usage.memory.bytes[.commits] == 0)
  }
}
