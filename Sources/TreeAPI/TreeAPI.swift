public import HTTP
public import TreeDomain

/// The service over HTTP: finds the endpoint of a request and lets it answer.
///
/// What an endpoint takes and gives stands in its own file. What is the same for all of them is
/// done here, before an endpoint is asked: the path, the method, who asks, `Accept`, the media type
/// of the body, and the names of the query parameters. What is much work or has to wait is done
/// elsewhere: the thread that asks serves others, too.
public struct TreeAPI: RequestHandler {
  /// Queues work for the worker threads, and does not wait for it; false if there is no room.
  public typealias Runner = @Sendable (WorkItem) -> Bool

  /// Writes figures of what is around the service.
  public typealias Observer = @Sendable (inout MetricsWriter) -> Void

  /// Returns content as gzip.
  public typealias Compressor = @Sendable ([UInt8]) -> [UInt8]

  /// The routes, in the order of the table.
  public let router: Router
  /// What web pages of other origins may see of answers.
  public let crossOrigin: CrossOriginPolicy?
  let context: APIContext
  /// The keys of the service, which can be replaced while it runs.
  public var keys: KeyRing { context.access.ring }

  /// Makes the API of a service.
  ///
  /// - Parameters:
  ///   - service: What the endpoints speak to.
  ///   - limits: What one body may ask for.
  ///   - options: How large requests are taken, and answers that take time.
  ///   - memory: The account that counts what imports hold; `nil` for none.
  ///   - observe: Writes the figures that `GET /metrics` gives beside the service's own.
  ///   - compress: Compresses answers that never change, each once; nil where no answer is
  ///     compressed.
  ///   - isBusy: Whether there is no room for more work elsewhere.
  ///   - run: Queues work on large bodies; by default it is done at once.
  public init(
    service: any TreeService,
    limits: DecodingLimits = DecodingLimits(),
    options: TreeAPIOptions = TreeAPIOptions(),
    memory: MemoryAccount? = nil,
    observe: @escaping Observer = { _ in },
    compress: Compressor? = nil,
    isBusy: @escaping @Sendable () -> Bool = { false },
    run: @escaping Runner = { work in
      work.run(UnscheduledSlot())
      return true
    }
  ) {
    context = APIContext(service, limits, options, memory, observe, compress, isBusy, run)
    let origins = options.origins
    crossOrigin =
      origins.isEmpty
      ? nil : CrossOriginPolicy(origins: origins, exposing: Preflight.answerFields)
    var router = Router()
    for (method, template, _) in Self.table { router.add(method, template) }
    self.router = router
  }

  /// Changes of the requests that follow go into one commit.
  public func beginGroup() { context.service.beginGroup() }

  /// Has that commit begin.
  public func endGroup() { context.service.endGroup() }

  /// Answers a request, now or later; what goes wrong is an answer, too.
  public func respond(to request: Request) -> Reply {
    switch match(request) {
    case .route(let index):
      let endpoint = Self.endpoints[index]
      let path = PathParameters(of: router.routes[index], in: request)
      guard context.access.isGuarded(endpoint) else { return reply(to: request, endpoint, path) }
      let permission = endpoint.permission(for: request.method)
      return guardedReply(to: request, path, needing: permission) {
        reply(to: request, endpoint, path)
      }
    case .options(let allowed, let index):
      let path = PathParameters(of: index.map { router.routes[$0] }, in: request)
      return optionsReply(to: request, allowed, index.map { Self.endpoints[$0] }, path)
    case .methodNotAllowed(let allowed): return .response(Self.refusal(allowing: allowed))
    case .notFound: return .response(Self.routeNotFound(request).response)
    }
  }

  /// Who asks, by a name that is no secret.
  public func caller(of request: Request) -> String? {
    context.access.caller(of: request, context.service.answering(Attempt()))
  }

  /// Where a request goes to, which the connection knows already if it came over one.
  func match(_ request: Request) -> RouteMatch.Outcome {
    (request.match ?? router.match(request.method, request.target)).outcome
  }

  static func refusal(allowing methods: [Method]) -> Response {
    Problem.methodNotAllowed(allowed: methods).response
  }

  func reply(to request: Request, _ endpoint: Endpoint, _ path: PathParameters) -> Reply {
    if let refusal = context.origins.refusal(of: request) { return .response(refusal.response) }
    let bytes = request.body.count
    if let problem = endpoint.problem(with: request, hasBody: bytes > 0) {
      return .response(problem.response)
    }
    do throws(ServiceError) {
      switch endpoint.work {
      case .same(let uncompressed):
        let response = context.staticAnswers.answer(of: endpoint) ?? uncompressed
        // What is not understood is refused here, too.
        _ = try Query(of: request, knowing: endpoint.parameters)
        guard request.has(.ifMatch) else { return .response(response) }
        let call = try context.call(request, endpoint, path, context.service)
        return .response(call.refusal(at: nil) ?? response)
      case .answer(let answer):
        return try read(request, endpoint, path, answer)
      case .decode(let decode):
        let call = try context.call(request, endpoint, path, context.service)
        guard bytes > context.options.heavyBodyBytes else {
          return try context.perform(for: request, try decode(call))
        }
        return WorkerAnswer.reply(on: context.bodies, context.makeJob(for: request)) {
          [context] _ throws(ServiceError) in
          try context.perform(for: request, try decode(call))
        }
      case .receive(let receive):
        let call = try context.call(request, endpoint, path, context.service)
        return try receive(call).takeWhole(request.body)
      }
    } catch {
      return HeldAnswer.reply(error.response, error.durability)
    }
  }
}

extension TreeAPI {
  /// Answers by what path and query say.
  ///
  /// What would be done again on an executor is put together only where it has to be.
  private func read(
    _ request: Request,
    _ endpoint: Endpoint,
    _ path: PathParameters,
    _ answer: @escaping @Sendable (Call) throws(ServiceError) -> Reply
  ) throws(ServiceError) -> Reply {
    let attempt = Attempt()
    do throws(ServiceError) {
      let service = context.service.answering(attempt)
      return try answer(try context.call(request, endpoint, path, service))
    } catch {
      return try context.perform(
        for: request,
        { [context] service throws(ServiceError) in
          try answer(try context.call(request, endpoint, path, service))
        },
        after: error,
        attempt
      )
    }
  }
}

extension BodyReceiver {
  /// Takes a body that is all there.
  fileprivate func takeWhole(_ body: [UInt8]) -> Reply {
    if let refusal = begin() { return .response(refusal) }
    if !body.isEmpty, let refusal = receive(body[...]) { return .response(refusal) }
    return finish()
  }
}
