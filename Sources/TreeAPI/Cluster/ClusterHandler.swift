package import HTTP
import TreeDomain

/// The API of one instance of a cluster, which answers requests for the trees of all instances.
///
/// A request for a tree or session of another instance is forwarded there, with a field that proves
/// where it comes from. The other instance checks everything but the host, and its answer is passed
/// on as it is. A forwarded request is never forwarded again.
package struct ClusterHandler: RequestHandler {
  /// The number of times that a request may be forwarded, one after another, if its tree moves.
  static let maxAttempts = 3

  let api: TreeAPI
  let placement: any Placement
  let forwarder: any RequestForwarder
  let secret: ClusterSecret

  /// Creates the handler of an instance.
  ///
  /// - Parameters:
  ///   - api: The API of the trees of this instance.
  ///   - placement: The instances and their trees.
  ///   - forwarder: The sender of requests to other instances.
  ///   - secret: The secret that all instances share.
  package init(
    api: TreeAPI,
    placement: any Placement,
    forwarder: any RequestForwarder,
    secret: ClusterSecret
  ) {
    self.api = api
    self.placement = placement
    self.forwarder = forwarder
    self.secret = secret
  }

  /// The routes of the API.
  package var router: Router { api.router }

  /// The access of other origins to responses.
  package var crossOrigin: CrossOriginPolicy? { api.crossOrigin }

  /// Returns the name of a request's caller, if this instance knows it.
  package func caller(of request: Request) -> String? { api.caller(of: request) }

  /// Returns true if another instance has forwarded a request.
  package func isForwarded(_ fields: Fields) -> Bool {
    fields.contains(.hop) && fields.value(.hop).map(secret.matches) ?? false
  }

  /// Returns the address of the client whose request another instance has forwarded.
  package func client(of fields: Fields) -> String? {
    guard fields.contains(.client), isForwarded(fields), let value = fields.value(.client) else {
      return nil
    }
    return String(decoding: value, as: UTF8.self)
  }

  /// Returns the fields that a request has on its way to another instance.
  func fields(for request: Request) -> Fields {
    var fields = secret.fields
    if !request.remote.isEmpty { fields.append(.client, request.remote) }
    return fields
  }

  /// Starts collecting changes; see ``TreeAPI/beginGroup()``.
  package func beginGroup() { api.beginGroup() }

  /// Ends the collection.
  package func endGroup() { api.endGroup() }

  /// Returns true if a request checks the health of the service.
  package func isVital(_ request: Request) -> Bool { api.isVital(request) }

  /// Responds to a request, here or by forwarding it.
  package func respond(to request: Request) -> Reply {
    respond(to: request, attempts: Self.maxAttempts)
  }

  /// Responds to a request that may be forwarded a number of times.
  func respond(to request: Request, attempts: Int) -> Reply {
    let subject = subject(of: request)
    if case .creation = subject, isLong(request) { return placedReply(to: request, attempts) }
    return respond(to: request, subject, attempts: attempts)
  }

  private func respond(
    to request: Request,
    _ subject: ClusterSubject,
    attempts: Int
  ) -> Reply {
    switch course(of: request, subject) {
    case .here: return api.respond(to: request)
    case .list: return listReply(to: request)
    case .refused(let problem): return .response(problem.response)
    case .at(let address):
      guard attempts > 0 else { return .response(Problem.movedTree.response) }
      return .later(forward(request, to: address, subject, attempts: attempts - 1))
    }
  }

  /// Returns a receiver for the content of a request; nil to collect it.
  package func receiver(for request: Request) -> (any BodyReceiver)? {
    let subject = subject(of: request)
    // The content decides the instance of a creation. It is collected after the API's own checks.
    if case .creation = subject, !hasForeignHop(request) { return api.receiver(for: request) }
    switch course(of: request, subject) {
    case .here: return api.receiver(for: request)
    case .list: return api.unread(request) { respond(to: request) }
    case .refused(let problem): return api.unread(request, problem.response)
    case .at(let address): return HopReceiver(request, to: address, subject, self)
    }
  }

  private func subject(of request: Request) -> ClusterSubject {
    ClusterSubject(of: request, api.match(request))
  }

  /// Returns true if the content of a creation is too long to be looked through on this thread.
  private func isLong(_ request: Request) -> Bool {
    request.body.count > api.context.options.heavyBodyBytes && !placement.others.isEmpty
  }

  /// Finds the place of a creation on a worker, and replies from there.
  private func placedReply(to request: Request, _ attempts: Int) -> Reply {
    let context = api.context
    return WorkerAnswer.reply(on: context.bodies, context.makeJob(for: request)) {
      [self] _ throws(ServiceError) in
      respond(to: request, .creation, attempts: attempts)
    }
  }

  private func forward(
    _ request: Request,
    to address: String,
    _ subject: ClusterSubject,
    attempts: Int
  ) -> ForwardedAnswer {
    let hop = Hop(request, to: address, subject, self, attempts: attempts)
    return ForwardedAnswer(hop, hop.send(.whole(request.body)))
  }

  /// Forwards a request to the address that its head determined, now that its content is complete.
  func respond(
    to request: Request,
    at address: String,
    _ subject: ClusterSubject
  ) -> Reply {
    .later(forward(request, to: address, subject, attempts: Self.maxAttempts - 1))
  }
}
