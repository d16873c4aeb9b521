import Synchronization
import TestSupport
import Testing
import TreeDomain

@testable import TreeSessions

/// Work for a client that is gone ends at its next check, and leaves nothing behind.
@Suite struct `Work whose client is gone` {
  private let slot = HeldSlot()
  private let store: SessionStore
  private let shared: SharedStore
  private let session: StoreUnderTest

  init() throws {
    let workers = Workers(slot)
    var limits = SessionLimits()
    limits.maxSmallNodes = 100
    store = SessionStore(limits: limits, schedule: workers.schedule)
    let nodes = (0..<6_000).map { #"{"key":"n\#($0)","object":{"v":\#($0 * 7 % 97)}}"# }
    let body = #"{"nodes":[{"key":"top","children":[\#(nodes.joined(separator: ","))]}]}"#
    let made = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    shared = SharedStore(store: store, tree: made.description.tree)
    session = try shared.session(#""selection":"multiple""#)
  }

  private typealias Call = @Sendable (any TreeService) throws(ServiceError) -> Void

  static let kinds = [
    "sort", "remove", "collapse", "select", "filter", "order", "search", "state", "trial", "import",
    "tree batch", "new session",
  ]

  private func decoded(_ operation: String) throws -> Batch {
    try Batch.decode(body: Array(#"{"operations":[\#(operation)]}"#.utf8))
  }

  private func applying(_ operation: String, isDryRun: Bool = false) throws -> Call {
    let (id, batch) = (session.id, try decoded(operation))
    return { service throws(ServiceError) in
      var options = BatchOptions()
      options.isDryRun = isDryRun
      _ = try service.apply(batch, to: id, options)
    }
  }

  private func patching(_ body: String) throws -> Call {
    let (id, patch) = (session.id, try SessionPatch.decode(body: Array(body.utf8)))
    return { service throws(ServiceError) in
      _ = try service.patchSession(id, patch, BatchOptions())
    }
  }

  private func call(_ kind: String) throws -> Call {
    let (id, tree) = (session.id, shared.tree)
    let sort = #"{"op":"sort","key":"top","by":[{"by":"/v"}]}"#
    switch kind {
    case "sort": return try applying(sort)
    case "remove": return try applying(#"{"op":"remove","key":"top"}"#)
    case "collapse": return try applying(#"{"op":"collapse","key":"top","levels":"all"}"#)
    case "select": return try applying(#"{"op":"select","subtree":"top"}"#)
    case "filter": return try patching(#"{"filter":{"by":"/v","above":30}}"#)
    case "order": return try patching(#"{"order":"breadthFirst"}"#)
    case "trial": return try applying(sort, isDryRun: true)
    case "search":
      let query = SearchQuery(Search(Array("none".utf8)), limit: 1)
      return { service throws(ServiceError) in _ = try service.search(in: id, query) }
    case "state":
      try session.apply(#"{"op":"select","subtree":"top"}"#)
      return { service throws(ServiceError) in
        _ = try service.state(of: id, expectedRevision: nil)
      }
    case "import":
      var decoder = ImportDecoder()
      for number in 0..<6_000 { try decoder.feed(Array("{\"key\":\"i\(number)\"}\n".utf8)) }
      let nodes = try decoder.finish()
      return { service throws(ServiceError) in
        _ = try service.importNodes(nodes, into: tree, BatchOptions())
      }
    case "tree batch":
      let batch = try decoded(sort)
      return { service throws(ServiceError) in
        _ = try service.apply(batch, to: tree, BatchOptions())
      }
    default:
      var new = try NewSession.decode(body: Array(#"{"filter":{"by":"/v","above":9}}"#.utf8))
      new.tree = tree
      return { [new] service throws(ServiceError) in _ = try service.createSession(new, nil) }
    }
  }

  @Test(arguments: kinds)
  func `ends at its next check`(kind: String) throws {
    let work = try call(kind)
    let before = (try session.rows(), try session.revision())
    slot.hold()
    let asked = AskedCall(store, work)
    slot.waitUntilHeld()
    asked.cancel()
    let counter = Counter()
    slot.hold {
      counter.add()
      return false
    }
    slot.goOn()
    guard case .failure(let error) = asked.result() else {
      Issue.record("\(kind) went on")
      return
    }
    #expect(error.code == .overloaded)
    // Only the last check of the job is left.
    #expect(counter.value <= 1, "checks after that")
    let after = (try session.rows(), try session.revision())
    #expect(after == before, "\(kind)")
  }

  /// A counter for several threads.
  private final class Counter: Sendable {
    private let count = Atomic(0)

    func add() { count.add(1, ordering: .relaxed) }

    var value: Int { count.load(ordering: .relaxed) }
  }
}
