import Testing
import TreeDomain

@testable import TreeEngine
@testable import TreeSessions

/// What an update costs is its own bytes, not those of all nodes: nobody holds a part of the tree's
/// bytes while it changes them.
struct UpdateInPlaceTests {
  @Test(
    arguments: ["", #""sort":[{"by":"/n"}],"#],
    [#""object":{"n":5}"#, #""merge":{"n":6}"#]
  )
  func `the bytes of all objects stay where they are when one is updated`(
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
    // Now and then they need more room.
    let moves = zip(addresses, addresses.dropFirst()).count { $0 != $1 }
    #expect(moves < 5, "\(moves) times of 50")
  }
}

extension SharedStore {
  /// Where the tree's objects lie.
  fileprivate func objectAddress() throws -> UInt {
    try store.find(tree).withTree(.blocking) { manager in
      unsafe manager.tree.forest.objectArena.chunks[0].withUnsafeBufferPointer { bytes in
        UInt(bitPattern: bytes.baseAddress)
      }
    }
  }
}
