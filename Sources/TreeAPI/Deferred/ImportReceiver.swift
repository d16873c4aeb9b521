import HTTP
import Synchronization
import TreeDomain

/// A receiver that decodes the lines of an import as they arrive, and imports them at the end.
final class ImportReceiver: BodyReceiver {
  private struct State {
    var decoder: ImportDecoder
    var fingerprint: Fingerprint
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
    let decoder = ImportDecoder(limits: limits)
    state = Mutex(State(decoder: decoder, fingerprint: call.beginFingerprint()))
  }

  deinit {
    call.context.imports.giveBack(state.withLock { $0.bytes })
  }

  func receive(_ bytes: ArraySlice<UInt8>) -> Response? {
    state.withLock { state in
      if token != nil { state.fingerprint.add(bytes) }
      do throws(ServiceError) {
        try state.decoder.feed(Array(bytes))
      } catch {
        return error.response
      }
      // A single piece takes little memory, so checking it after decoding suffices.
      let more = state.decoder.heldBytes - state.bytes
      guard call.context.imports.take(more) else { return Self.noRoom.response }
      state.bytes += more
      return nil
    }
  }

  private static var noRoom: ServiceError {
    ServiceError(
      .overloaded,
      "Imports under way hold as much as they may together (`maxHeldImportBytes`), or all there is"
        + " does (`maxMemoryBytes`); import in smaller parts, delete something, or try again soon."
    )
  }

  func finish() -> Reply {
    let context = call.context
    return WorkerAnswer.reply(on: context.bodies, context.makeJob(for: call.request)) {
      [self] _ throws(ServiceError) in
      let nodes = try nodes()
      var options = options
      options.idempotency = idempotency
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

  private var idempotency: IdempotencyKey? {
    let fingerprint = state.withLock { $0.fingerprint.value }
    return token.map { IdempotencyKey(token: $0, fingerprint: fingerprint) }
  }

  private func nodes() throws(ServiceError) -> Import {
    try state.withLock { state throws(ServiceError) in try state.decoder.finish() }
  }
}
