package import HTTP
package import TreeDomain

/// The HTTP API of the service, which routes a request to its endpoint.
///
/// The endpoints of one area are in one file. Checks that are the same for all are made here first:
/// path, method, credentials, `Accept`, the media type of the body, and query parameters. Long or
/// blocking work moves to worker threads, because the calling thread serves other connections.
package struct TreeAPI: RequestHandler {
  /// Queues work for the worker threads without blocking; returns false if the queue is full.
  package typealias Runner = @Sendable (WorkItem) -> Bool

  /// Writes metrics from outside of the service.
  package typealias Observer = @Sendable (inout MetricsWriter) -> Void

  /// Returns content as gzip.
  package typealias Compressor = @Sendable ([UInt8]) -> [UInt8]

  /// The routes, in the order of the table.
  package let router: Router
  /// The access of other origins to responses.
  package let crossOrigin: CrossOriginPolicy?
  let context: APIContext
  /// The keys of the service, which can be replaced while it runs.
  package var keys: KeyRing { context.access.ring }

  /// Creates the API of a service.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - limits: The limits for decoding one body.
  ///   - options: The options of the API.
  ///   - memory: The account for memory held by imports; `nil` for none.
  ///   - observe: Writes the metrics that `GET /metrics` returns in addition to the service's own.
  ///   - compress: Compresses responses that never change, each once; nil for no compression.
  ///   - isBusy: Returns true if the workers accept no more work.
  ///   - clock: Returns the time in nanoseconds, to measure and limit work on event loops.
  ///     Best is the processor time of the thread, which stands still while other threads run. The
  ///     default is a monotonic clock.
  ///   - run: Queues work on large bodies. By default the work runs at once.
  package init(
    service: any TreeService,
    limits: DecodingLimits = DecodingLimits(),
    options: TreeAPIOptions = TreeAPIOptions(),
    memory: MemoryAccount? = nil,
    observe: @escaping Observer = { _ in },
    compress: Compressor? = nil,
    isBusy: @escaping @Sendable () -> Bool = { false },
    clock: @escaping @Sendable () -> Int = Attempt.clock,
    run: @escaping Runner = { work in
      work.run(UnscheduledSlot())
      return true
    }
  ) {
    context = APIContext(service, limits, options, memory, observe, compress, isBusy, clock, run)
    let origins = options.origins
    crossOrigin =
      origins.isEmpty
      ? nil : CrossOriginPolicy(origins: origins, exposing: Preflight.answerFields)
    var router = Router()
    for (method, template, _) in Self.table { router.add(method, template) }
    self.router = router
  }

  /// Starts collecting the changes of the following requests into one commit.
  package func beginGroup() { context.service.beginGroup() }

  /// Ends the collection that ``beginGroup()`` started, and starts the commit.
  package func endGroup() { context.service.endGroup() }

  /// Responds to a request, at once or later.
  ///
  /// Errors are responses, too.
  package func respond(to request: Request) -> Reply {
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

  /// Returns the name of a request's caller, which is not secret.
  package func caller(of request: Request) -> String? {
    context.access.caller(of: request, context.service.answering(Attempt()))
  }

  /// Returns the result of routing a request, which a connection has already determined.
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
        // An invalid query is refused here, too.
        _ = try endpoint.query(of: request)
        guard request.has(.ifMatch) else { return .response(response) }
        let call = try context.call(request, endpoint, path, context.service)
        return .response(call.refusal(at: nil) ?? response)
      case .answer(let answer):
        return try read(request, endpoint, path, answer)
      case .decode(let decode):
        let call = try context.call(request, endpoint, path, context.service)
        guard bytes > context.options.heavyBytes(of: request) else {
          return try context.perform(for: request, try decode(call))
        }
        return WorkerAnswer.reply(on: context.bodies, context.makeJob(for: request)) {
          [context] attempt throws(ServiceError) in
          try context.perform(for: request, try decode(call.controlled(by: attempt.job)))
        }
      case .receive(let receive):
        let call = try context.call(request, endpoint, path, context.service)
        return try receive(call).receiveWhole(request.body)
      }
    } catch {
      return HeldAnswer.reply(error.response, error.durability)
    }
  }
}

extension TreeAPI {
  /// Replies according to path and query.
  ///
  /// The closure for a second try on an executor is created only if it is needed.
  private func read(
    _ request: Request,
    _ endpoint: Endpoint,
    _ path: PathParameters,
    _ answer: @escaping @Sendable (Call) throws(ServiceError) -> Reply
  ) throws(ServiceError) -> Reply {
    let attempt = context.attempt(at: request)
    do throws(ServiceError) {
      let service = context.service.answering(attempt)
      let reply = try answer(try context.call(request, endpoint, path, service))
      return HeldRead.reply(reply, attempt, isRead: true)
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
  /// Passes a complete body to the receiver.
  fileprivate func receiveWhole(_ body: [UInt8]) -> Reply {
    if let refusal = begin() { return .response(refusal) }
    if !body.isEmpty, let refusal = receive(body[...]) { return .response(refusal) }
    return finish()
  }
}
