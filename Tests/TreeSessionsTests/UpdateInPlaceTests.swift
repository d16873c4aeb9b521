import Testing
import TreeDomain

@testable import TreeEngine
@testable import TreeSessions

/// Checks that an update costs its own bytes, not those of all nodes.
/// A reference to the tree's bytes during the update would force a copy.
struct UpdateInPlaceTests {
  @Test(
    arguments: ["", #""sort":[{"by":"/n"}],"#],
    [#""object":{"n":5}"#, #""merge":{"n":6}"#]
  )
  func `an update leaves the bytes of all objects at their address`(
    sort: String,
    change: String
  ) throws {
    let nodes = (0..<200).map { #"{"key":"n\#($0)","object":{"n":\#($0)}}"# }
    let list = nodes.joined(separator: ",")
    let store = try SharedStore(#"{\#(sort)"nodes":[\#(list)]}"#)
    var addresses: [UInt] = []
    for number in 0..<50 {
      try store.apply(#"{"op":"update","key":"n\#(number)",\#(change)}"#)
      addresses.append(try store.objectAddress())
    }
    // Growth of the buffer sometimes moves them.
    let moves = zip(addresses, addresses.dropFirst()).count { $0 != $1 }
    #expect(moves < 5, "\(moves) times of 50")
  }
}

extension SharedStore {
  /// Returns the address of the tree's objects.
  fileprivate func objectAddress() throws -> UInt {
    try store.find(tree).withTree(.blocking) { manager in
      let chunk = manager.content.tree.editor.base.forest.objectArena.chunks[0]
      return unsafe chunk.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    }
  }
}
