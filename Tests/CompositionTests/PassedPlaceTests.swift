import HTTPServer
import Testing

@testable import Composition

@Suite struct `Sockets that a service manager passes` {
  private static let local = PassedSockets.Place(
    text: "http://127.0.0.1:81",
    isLoopback: true,
    port: 81
  )
  private static let remote = PassedSockets.Place(
    text: "http://[::]:82",
    isLoopback: false,
    port: 82
  )

  private func resolve(
    _ arguments: [String],
    _ environment: [String] = [],
    passed: [PassedSockets.Place]
  ) throws(ConfigurationError) -> Configuration {
    let invocation = try Configuration.resolve(
      arguments: arguments,
      environment: environment,
      passed: passed
    ) { (path) throws(ConfigurationError) in throw .unreadable(path: path, reason: "none") }
    guard case .serve(let configuration) = invocation else {
      preconditionFailure("these arguments are to serve")
    }
    return configuration
  }

  @Test func `they take the place of host, port and Unix socket, which the operator is told`()
    throws
  {
    let plain = try resolve([], passed: [Self.local])
    #expect(plain.places(port: 81) == ["http://127.0.0.1:81"] && plain.isLoopback)
    #expect(plain.passedSocketsWarning == nil)
    let given = try resolve(["--host", "0.0.0.0", "--port", "1"], passed: [Self.local])
    #expect(given.places(port: 81) == ["http://127.0.0.1:81"])
    #expect(given.passedSocketsWarning?.contains("host, port and unixSocket are not used") == true)
    #expect(try resolve(["--host", ""], passed: [Self.local]).isLoopback)
  }

  @Test func `one that others can reach wants keys, as a host does`() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try resolve([], passed: [Self.local, Self.remote])
    }
    #expect(error == .remoteSocket("http://[::]:82"))
    #expect(error?.description.contains("http://[::]:82, which other machines can reach") == true)
    let keys = ["TREE_SERVER_KEYS=one:0123456789abcdef"]
    #expect(try !resolve([], keys, passed: [Self.remote]).isLoopback)
    #expect(try !resolve(["--allow-unauthenticated-remote"], passed: [Self.remote]).isLoopback)
  }

  @Test(
    arguments: [
      (.malformed(variable: "LISTEN_FDS", text: "x"), "LISTEN_FDS is \"x\""),
      (.notOpen(descriptor: 4), "descriptor 4, which is not open"),
      (.unsupported(descriptor: 3), "ListenStream="), (.notListening(descriptor: 3), "Accept=yes"),
    ] as [(PassedSockets.Fault, String)]
  )
  func `a fault says what to do`(fault: PassedSockets.Fault, hint: String) {
    #expect(ConfigurationError.faultySocket(fault).description.contains(hint))
  }
}
