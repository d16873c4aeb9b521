import Glibc
import HTTP
import TestSupport
import Testing

@testable import HTTPServer

/// Listening sockets opened by another process.
struct PassedSocketsTests {
  /// Opens a listening socket on a free port.
  ///
  /// Its adopter closes it.
  private func openPort(listens: Bool = true) throws -> (descriptor: Int32, port: UInt16) {
    let address = try #require(SocketAddress(host: "127.0.0.1", port: 0))
    let socket = try Syscalls.bind(to: address, sharesPort: false)
    let port = try Syscalls.port(of: socket.number)
    if listens { try Syscalls.listen(socket.number, acceptBacklog: 64) }
    return (try copy(socket.number), port)
  }

  /// Returns an inheritable, blocking copy of a descriptor, like a passed one.
  private func copy(_ descriptor: Int32) throws -> Int32 {
    let number = fcntl(descriptor, F_DUPFD, 100)
    try #require(number >= 0)
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
    return number
  }

  private func take(_ descriptor: Int32) throws -> PassedSockets {
    try PassedSockets(descriptors: descriptor..<descriptor + 1)
  }

  @Test func `passed sockets are served and stay open at their owner`() throws {
    let folder = try TemporaryFolder()
    let local = try #require(LocalSocket(path: folder.path + "/s", mode: 0o600))
    let holder = try Syscalls.listen(on: local, acceptBacklog: 64)
    let (descriptor, port) = try openPort()
    let keeper = try copy(descriptor)
    defer { close(keeper) }
    let pair = fcntl(descriptor, F_DUPFD, 200)
    try #require(dup2(holder.number, pair + 1) == pair + 1)
    close(descriptor)
    var options = ServerOptions()
    options.host = "nobody"
    options.loops = 2
    options.passed = try PassedSockets(descriptors: pair..<pair + 2)
    let places = options.passed?.places ?? []
    #expect(places.map(\.text) == ["http://127.0.0.1:\(port)", "unix:\(local.path)"])
    #expect(options.passed?.isLoopback == true && options.passed?.port == port)
    #expect(fcntl(pair, F_GETFD) == FD_CLOEXEC && fcntl(pair, F_GETFL) & O_NONBLOCK != 0)

    let waiting = Client(port: port)
    waiting.send(get("/waiting"))
    var server: Server? = try Server(options: options, limits: Limits(), handler: EchoHandler())
    try server?.start()
    #expect(server?.port == port)
    #expect(waiting.read(endingIn: ">").hasSuffix("GET /waiting <>"))
    let clients = (0..<40).map { $0 % 2 == 0 ? Client(port: port) : Client(path: local.path) }
    for client in clients { client.send(get("/a")) }
    for client in clients { #expect(client.read(endingIn: ">").hasSuffix("GET /a <>")) }
    server?.stop(withinMilliseconds: 60_000)
    (server, options.passed) = (nil, nil)
    // Connections are not refused in between; they wait for the next server.
    let next = Client(port: port)
    next.send(get("/next"))
    options.passed = try take(try copy(keeper))
    server = try Server(options: options, limits: Limits(), handler: EchoHandler())
    try server?.start()
    #expect(next.read(endingIn: ">").hasSuffix("GET /next <>"))
    server?.stop(withinMilliseconds: 0)
  }

  @Test func `an unusable descriptor is refused and stays open`() throws {
    let (bound, _) = try openPort(listens: false)
    defer { close(bound) }
    #expect(throws: PassedSockets.Fault.notListening(descriptor: bound)) { try take(bound) }
    let datagrams = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    defer { close(datagrams) }
    #expect(throws: PassedSockets.Fault.unsupported(descriptor: datagrams)) { try take(datagrams) }
    let file = unsafe open("/dev/null", O_RDONLY)
    #expect(throws: PassedSockets.Fault.unsupported(descriptor: file)) { try take(file) }
    #expect(fcntl(file, F_GETFD) >= 0)
    close(file)
    #expect(throws: PassedSockets.Fault.notOpen(descriptor: 10_007)) { try take(10_007) }
  }

  @Test func `variables for another process are ignored`() throws {
    let mine = "LISTEN_PID=\(getpid())"
    for environment in [
      [], ["LISTEN_FDS=1"], [mine], ["LISTEN_PID=1", "LISTEN_FDS=1"], [mine, "LISTEN_FDS=0"],
    ] { #expect(try PassedSockets.take(environment: environment)?.places == nil) }
  }

  @Test(
    arguments: [
      ("LISTEN_FDS", "x"), ("LISTEN_FDS", ""), ("LISTEN_FDS", "-1"), ("LISTEN_FDS", "65"),
      ("LISTEN_PID", "me"), ("LISTEN_PID", "0"), ("LISTEN_PID", "99999999999"),
    ]
  )
  func `a malformed variable is refused with its name`(name: String, text: String) {
    let rest = name == "LISTEN_FDS" ? "LISTEN_PID=\(getpid())" : "LISTEN_FDS=1"
    #expect(throws: PassedSockets.Fault.malformed(variable: name, text: text)) {
      try PassedSockets.take(environment: ["\(name)=\(text)", rest])
    }
  }
}
