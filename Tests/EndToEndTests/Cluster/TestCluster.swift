import HTTP
import HTTPServer
import TestSupport
import Testing
import TreeAPI
import TreeDomain
import TreeSessions

/// Instances in this process, each with trees of its own in memory.
final class TestCluster {
  /// An instance.
  struct Instance {
    let store: SessionStore
    let server: Server
    let upstream: Upstream
    let metrics: ServerMetrics

    var port: UInt16 { server.port }
    var access: SocketAccess { SocketAccess(port: port) }
  }

  static let secret = "secret-of-the-tests"

  let plan = FakePlacement.Plan()
  private(set) var instances: [Instance] = []

  /// Starts instances; everything belongs to the last one.
  init(
    _ count: Int = 2,
    limits: SessionLimits = SessionLimits(),
    decoding: DecodingLimits = DecodingLimits(),
    options: TreeAPIOptions = TreeAPIOptions(),
    http: Limits = Limits(),
    upstream: UpstreamOptions = UpstreamOptions(),
    isCoding: Bool = false,
    server choose: (inout ServerOptions) -> Void = { _ in }
  ) throws {
    plan.put(at: count - 1)
    for index in 0..<count {
      let store = SessionStore(limits: limits)
      let upstream = try Upstream(options: upstream, limits: http)
      let metrics = ServerMetrics()
      let api = TreeAPI(
        service: store,
        limits: decoding,
        options: options,
        observe: { writer in
          metrics.write(to: &writer)
          upstream.write(to: &writer)
        }
      )
      let handler = ClusterHandler(
        api: api,
        placement: FakePlacement(plan, seenFrom: index),
        forwarder: upstream,
        secret: try #require(ClusterSecret(Self.secret.utf8))
      )
      var options = ServerOptions()
      options.port = 0
      options.loops = 2
      options.coding = isCoding ? CodingOptions() : nil
      choose(&options)
      let server = try Server(options: options, limits: http, handler: handler, metrics: metrics)
      try server.start()
      instances.append(Instance(store: store, server: server, upstream: upstream, metrics: metrics))
    }
    plan.setAddresses(instances.map { "127.0.0.1:\($0.port)" })
  }

  deinit {
    for instance in instances { instance.server.stop(withinMilliseconds: 0) }
    for instance in instances { instance.upstream.stop() }
  }

  /// The instance that everything belongs to, unless a test decides otherwise.
  var owner: Instance { instances[instances.count - 1] }

  /// Ends an instance at once, with all its connections.
  func kill(_ index: Int) { instances[index].server.stop(withinMilliseconds: 0) }

  /// Reads a figure of an instance.
  func figure(_ name: String, of index: Int) throws -> Int {
    let text = try instances[index].access.send(Ask(.get, "/metrics")).text
    return Int(try Exposition(text).sum { $0.hasPrefix(name) })
  }

  /// The field of requests between instances.
  static let hop = (name: "Tree-Hop", value: secret)
}
