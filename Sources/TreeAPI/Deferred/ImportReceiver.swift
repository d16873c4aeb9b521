import HTTP
import Synchronization
import TreeDomain

/// A receiver that decodes the lines of an import as they arrive, and imports them at the end.
final class ImportReceiver: BodyReceiver {
  private struct State {
    var decoder: ImportDecoder
    /// The number of bytes counted as held.
    var bytes = 0
  }

  let maxBytes: Int
  private let tree: TreeID
  private let options: BatchOptions
  private let token: [UInt8]?
  private let call: Call
  private let state: Mutex<State>

  /// Creates a receiver for a tree.
  ///
  /// The token is that of `Idempotency-Key`, if there is one.
  init(into tree: TreeID, _ options: BatchOptions, token: [UInt8]?, _ call: Call) {
    self.tree = tree
    self.options = options
    self.token = token
    self.call = call
    maxBytes = call.context.options.maxImportBytes
    var limits = call.limits
    limits.maxNodes = call.context.options.maxImportNodes
    state = Mutex(State(decoder: ImportDecoder(limits: limits)))
  }

  deinit {
    call.context.imports.giveBack(state.withLock { $0.bytes })
  }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    state.withLock { state in
      do throws(ServiceError) {
        try state.decoder.feed(Array(bytes))
      } catch {
        return error.response
      }
      // A single piece takes little memory, so checking it after decoding suffices.
      let more = state.decoder.heldBytes - state.bytes
      guard call.context.imports.reserve(more) else { return Self.noRoom.response }
      state.bytes += more
      return nil
    }
  }

  private static var noRoom: ServiceError {
    ServiceError(
      .overloaded,
      "Imports under way hold as much as they may together, or all there is"
        + " does (`maxMemoryBytes`); import in smaller parts, delete something, or try again soon."
    )
  }

  func finish() -> Reply {
    let context = call.context
    return WorkerAnswer.reply(on: context.bodies, context.makeJob(for: call.request)) {
      [self] attempt throws(ServiceError) in
      let nodes = try nodes()
      var options = options
      options.idempotency = try idempotency(of: nodes, attempt.job)
      return try context.perform(for: call.request) {
        [tree, options] service throws(ServiceError) in
        let answer = try service.importNodes(nodes, into: tree, options)
        return HeldAnswer.reply(Response(answer), answer.durability)
      }
    }
  }

  func cancel() {
    // The decoded nodes may be large and take long to free, so a worker frees them.
    let work = WorkItem { [self] _ in
      state.withLock { $0.decoder = ImportDecoder(limits: call.limits) }
    }
    _ = call.context.bodies.run(work)
  }

  /// Returns the identity of the import, in which the notation of the lines makes no difference.
  ///
  /// - Throws: The error of the control.
  private func idempotency(
    of nodes: Import,
    _ control: (any WorkControl)?
  ) throws(ServiceError) -> IdempotencyKey? {
    guard let token else { return nil }
    var fingerprint = call.beginFingerprint()
    try fingerprint.add(nodes, maxDepth: call.limits.maxBodyDepth, control)
    return IdempotencyKey(token: token, fingerprint: fingerprint.value)
  }

  private func nodes() throws(ServiceError) -> Import {
    try state.withLock { state throws(ServiceError) in try state.decoder.finish() }
  }
}

extension Fingerprint {
  /// Adds the nodes of an import.
  ///
  /// - Throws: The error of the control, which is asked before each part.
  fileprivate mutating func add(
    _ nodes: Import,
    maxDepth: Int,
    _ control: (any WorkControl)?
  ) throws(ServiceError) {
    for part in nodes.parts {
      try control?.check()
      for node in part.nodes {
        switch node.above {
        case .nothing: add(0)
        case .parent(let key): add(text: part[key], kind: 1)
        case .section(let name): add(text: part[name], kind: 2)
        }
        add(text: part[node.key], kind: 3)
        add(UInt64(node.childStateNumber))
        add(node.hint.map { UInt64($0) + 1 } ?? 0)
        let object = Array(part[node.object])
        add(object.isEmpty ? 0 : JSONFingerprint.value(of: object, maxDepth: maxDepth) ?? 0)
      }
    }
  }

  private mutating func add(text: ArraySlice<UInt8>, kind: UInt64) {
    add(kind)
    add(UInt64(text.count))
    add(text)
  }
}
