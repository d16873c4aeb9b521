import HTTP
import TreeDomain

/// What all endpoints share.
final class APIContext: Sendable {
  /// The service that the endpoints speak to, each by an attempt.
  let service: any TreeService
  /// What one body may ask for.
  let limits: DecodingLimits
  /// How large requests are taken, and answers that take time.
  let options: TreeAPIOptions
  /// Who may ask for what.
  let access: AccessRule
  /// Whose web pages may change something.
  let origins: OriginRule
  /// The answers that never change.
  let staticAnswers: StaticAnswers
  /// What imports under way hold.
  let imports: SharedRoom
  /// Writes figures of what is around the service.
  let observe: TreeAPI.Observer
  /// Whether there is no room for more work elsewhere.
  let isBusy: @Sendable () -> Bool
  /// The executor of what is about bodies and no tree yet.
  let bodies: BodyExecutor

  init(
    _ service: any TreeService,
    _ limits: DecodingLimits,
    _ options: TreeAPIOptions,
    _ memory: MemoryAccount?,
    _ observe: @escaping TreeAPI.Observer,
    _ compress: TreeAPI.Compressor?,
    _ isBusy: @escaping @Sendable () -> Bool,
    _ run: @escaping TreeAPI.Runner
  ) {
    self.service = service
    self.limits = limits
    self.options = options
    access = AccessRule(keys: options.keys)
    origins = OriginRule(trusted: options.origins)
    staticAnswers = StaticAnswers(compress: compress)
    imports = SharedRoom(options.maxHeldImportBytes, in: memory.map { ($0, .imports) })
    self.observe = observe
    self.isBusy = isBusy
    bodies = BodyExecutor(run)
  }

  /// A request as an endpoint takes it, to ask a face of the service.
  ///
  /// - Throws: What is not understood of the query, or of `If-Match`: whoever sends that wants to
  ///   know before anything else is looked at.
  func call(
    _ request: Request,
    _ endpoint: Endpoint,
    _ path: PathParameters,
    _ service: any TreeService
  ) throws(ServiceError) -> Call {
    Call(
      request: request,
      path: path,
      query: try Query(of: request, knowing: endpoint.parameters),
      required: try request.revisions(.ifMatch, \.strongTags),
      answerType: endpoint.answerType(for: request),
      context: self,
      service: service
    )
  }
}
