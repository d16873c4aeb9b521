import TreeDomain
import TreeSessions

/// Setting, changing and removing a filter, and searches of all nodes, with their answers.
enum FindBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "find", smallSize: 1_000, largeSize: 1_000_000) { size in
      let tree = StoredTree(.tenfold, count: size)
      let session = tree.open()
      func measurePatch(_ label: String, _ first: String, _ second: String) -> Measurement {
        tree.patch(first, of: session)
        return Measurement(label, size: size, rounds: 1, operations: 1) {
          tree.patch(second, of: session) + 1
        }
      }
      func filter(_ text: String) -> String {
        #"{"filter":{"by":"/title","contains":"\#(text)"}}"#
      }
      let clear = #"{"filter":null}"#
      return [
        measurePatch("filter, contains, 1 in 20", clear, filter("77")),
        measurePatch("filter, contains, none", clear, filter("nothing")),
        measurePatch("filter, contains, all", clear, filter("node")),
        measurePatch("another filter, 1 in 20", filter("66"), filter("77")),
        measurePatch("filter taken off, 1 in 20", filter("77"), clear),
        measureSearch("search in a member", of: tree, session, by: "/title"),
        measureSearch("search everywhere", of: tree, session, by: nil),
      ]
    }
  }

  private static func measureSearch(
    _ label: String,
    of tree: StoredTree,
    _ session: SessionID,
    by written: String?
  ) -> Measurement {
    let search = Search(
      Array("nothing".utf8),
      by: written.flatMap { SortDescriptor.Subject($0.utf8) }
    )
    return Measurement(label, size: tree.size, rounds: 3, operations: 1) {
      let result = StoredTree.expectingSuccess { () throws(ServiceError) in
        try tree.store.search(in: session, SearchQuery(search, limit: 20))
      }
      return UInt64(result.matches.count + 1)
    }
  }
}
