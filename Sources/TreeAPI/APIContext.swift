import HTTP
import TreeDomain

/// The state that all endpoints share.
final class APIContext: Sendable {
  /// The service.
  ///
  /// Each request uses it through an attempt.
  let service: any TreeService
  /// The limits for decoding one body.
  let limits: DecodingLimits
  /// The options of the API.
  let options: TreeAPIOptions
  /// The rule for credentials.
  let access: AccessRule
  /// The rule for web pages of other origins.
  let origins: OriginRule
  /// The responses that never change.
  let staticAnswers: StaticAnswers
  /// The memory held by running imports.
  let imports: SharedRoom
  /// The memory held by decoded batches.
  let batches: SharedRoom
  /// Writes metrics from outside of the service.
  let observe: TreeAPI.Observer
  /// Returns true if the workers accept no more work.
  let isBusy: @Sendable () -> Bool
  /// Returns the time in nanoseconds, to measure and limit work on event loops.
  private let clock: @Sendable () -> Int
  /// The executor for decoding bodies.
  let bodies: BodyExecutor

  init(
    _ service: any TreeService,
    _ limits: DecodingLimits,
    _ options: TreeAPIOptions,
    _ memory: MemoryAccount?,
    _ observe: @escaping TreeAPI.Observer,
    _ compress: TreeAPI.Compressor?,
    _ isBusy: @escaping @Sendable () -> Bool,
    _ clock: @escaping @Sendable () -> Int,
    _ run: @escaping TreeAPI.Runner
  ) {
    self.service = service
    self.limits = limits
    self.options = options
    access = AccessRule(keys: options.keys)
    origins = OriginRule(trusted: options.origins)
    staticAnswers = StaticAnswers(compress: compress, hasExplorer: options.explorer)
    imports = SharedRoom(options.maxHeldImportBytes, in: memory.map { ($0, .imports) })
    batches = SharedRoom(.max, in: memory.map { ($0, .imports) })
    self.observe = observe
    self.isBusy = isBusy
    self.clock = clock
    bodies = BodyExecutor(run)
  }

  /// Creates an attempt at a request on an event loop.
  func attempt(at request: Request) -> Attempt {
    Attempt(payer: access.payer(of: request), clock: clock)
  }

  /// Creates the call of an endpoint for a request.
  ///
  /// - Throws: An error in the query or in `If-Match`, which is reported before any other check.
  func call(
    _ request: Request,
    _ endpoint: Endpoint,
    _ path: PathParameters,
    _ service: any TreeService
  ) throws(ServiceError) -> Call {
    Call(
      request: request,
      path: path,
      query: try endpoint.query(of: request),
      required: try request.revisions(.ifMatch, \.strongTags),
      answerType: endpoint.answerType(for: request),
      context: self,
      service: service
    )
  }
}
