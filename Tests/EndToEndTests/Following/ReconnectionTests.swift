import Glibc
import HTTP
import TestSupport
import Testing

/// Followers that all reconnect at once after a restart.
struct ReconnectionTests {
  enum Trees: String, CaseIterable {
    /// All sessions use one tree.
    case shared
    /// Each session has a private tree.
    case many
    /// Like `many`, and each follower uses its session's secret, which must be looked up.
    case secret
  }

  private static let key = "0123456789abcdef0123456789abcdef"

  /// Returns the number of followers, as many as the limit of descriptors allows.
  private static func followerCount() throws -> Int {
    var limit = rlimit()
    let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    guard unsafe getrlimit(resource, &limit) == 0 else {
      throw WireError("getrlimit: errno \(errno)")
    }
    limit.rlim_cur = min(max(limit.rlim_cur, 4_000), limit.rlim_max)
    _ = unsafe setrlimit(resource, &limit)
    return min(1_500, Int(limit.rlim_cur) - 500)
  }

  /// The queue of waiting calls is far shorter than the number of followers.
  @Test(arguments: Trees.allCases)
  func `all followers reconnect, and get missed and later changes`(trees: Trees) throws {
    let count = try Self.followerCount()
    let folder = try TemporaryFolder()
    try folder.write(Array("laptop:\(Self.key)\n".utf8), to: "keys")
    var arguments = [
      "--data", folder.path + "/trees", "--max-connections-per-address", "4000",
      "--max-waiting-calls", "16", "--workers", "1",
    ]
    if trees == .secret { arguments += ["--keys-file", folder.path + "/keys"] }
    let first = try Program(["--port", "0"] + arguments)
    let port = try first.waitForPort()
    let access = SocketAccess(port: port)
    let key = [(name: "Authorization", value: "Bearer \(Self.key)")]
    func ask(_ method: HTTP.Method, _ path: String, _ body: String) throws -> Answer {
      try access.send(Ask(method, path, body, fields: key))
    }
    #expect(try ask(.post, "/v1/trees", #"{"tree":"t"}"#).status == 201)
    let sessions = try (0..<count).map { _ in
      let options = trees == .shared ? #"{"tree":"t"}"# : "{}"
      let made = try ask(.post, "/v1/sessions", options)
      return (path: try #require(made["Location"]), secret: try made.json()["secret"]?.string)
    }
    func write(_ number: Int, _ session: String, on access: SocketAccess) throws {
      let body = #"{"operations":[{"op":"insert","key":"\#(number)"}]}"#
      let path = trees == .shared ? "/v1/trees/t/batch" : session + "/batch"
      let answer = try access.send(Ask(.post, path, body, fields: key))
      #expect(answer.status == 200)
    }
    let writers = trees == .shared ? sessions.prefix(1) : sessions[...]
    for session in writers { try write(1, session.path, on: access) }
    first.send(SIGTERM)
    #expect(try first.waitForEnd().status == 0)

    let second = try Program(["--port", "0"] + arguments)
    let newPort = try second.waitForPort()
    let connections = try sessions.map { session in
      let connection = try BlockingConnection(port: newPort)
      let token = session.secret ?? Self.key
      let fields = [
        (name: "Accept", value: "text/event-stream"), (name: "Last-Event-ID", value: "0"),
        (name: "Authorization", value: "Bearer \(token)"),
      ]
      try connection.send(Ask(.get, session.path + "/changes", fields: fields).bytes)
      return connection
    }
    let streams = try connections.map { try EventStreamClient(asked: $0) }
    for stream in streams {
      let missed = try #require(try stream.next())
      #expect(missed.type == "changes" && missed.id == "1")
    }
    let newAccess = SocketAccess(port: newPort)
    for session in writers { try write(2, session.path, on: newAccess) }
    for stream in streams { #expect(try stream.next()?.id == "2") }
    second.send(SIGTERM)
    #expect(try second.waitForEnd().status == 0)
  }
}
