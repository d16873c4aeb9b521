import Glibc
import TestSupport
import Testing

@testable import HTTPServer

/// Notifications to a service manager, whose socket the test owns.
struct ServiceManagerTests {
  /// Opens a datagram socket at an address.
  private func listen(_ path: [UInt8]) throws -> FileDescriptor {
    let socket = try Syscalls.openDatagrams()
    let result = unsafe SocketAddress(local: path).withSocketAddress { address, length in
      unsafe bind(socket.number, address, length)
    }
    try #require(result == 0, "bind: \(errno)")
    return socket
  }

  private func messages(_ socket: borrowing FileDescriptor) -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while case let count = unsafe recv(socket.number, &buffer, buffer.count, 0), count > 0 {
      messages.append(String(decoding: buffer[..<count], as: UTF8.self))
    }
    return messages
  }

  private func tellAll(_ address: String) throws {
    let manager = try #require(
      try ServiceManager(environment: ["A=b", "NOTIFY_SOCKET=\(address)"])
    )
    for state in [.starting("reading"), .ready("here"), .stopping("soon")] as [ServiceManager.State]
    {
      try manager.notify(state)
    }
  }

  private let expected = ["STATUS=reading", "READY=1\nSTATUS=here", "STOPPING=1\nSTATUS=soon"]

  @Test func `a manager at a path receives the states`() throws {
    let folder = try TemporaryFolder()
    let socket = try listen(Array("\(folder.path)/n".utf8) + [0])
    try tellAll("\(folder.path)/n")
    #expect(messages(socket) == expected)
  }

  @Test func `a manager with an abstract name receives the states`() throws {
    let name = "tree-service-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let socket = try listen([0] + Array(name.utf8))
    try tellAll("@\(name)")
    #expect(messages(socket) == expected)
  }

  @Test func `a reload contains its start time`() throws {
    let folder = try TemporaryFolder()
    let socket = try listen(Array("\(folder.path)/n".utf8) + [0])
    let before = Syscalls.monotonicNanoseconds() / 1_000
    try ServiceManager(environment: ["NOTIFY_SOCKET=\(folder.path)/n"])?.notify(.reloading)
    let message = try #require(messages(socket).first)
    #expect(message.hasPrefix("RELOADING=1\nMONOTONIC_USEC="))
    let time = try #require(message.split(separator: "=").last.flatMap { Int($0) })
    #expect((before...Syscalls.monotonicNanoseconds() / 1_000).contains(time))
  }

  @Test func `a missing or stalled manager gives an error`() throws {
    let folder = try TemporaryFolder()
    let manager = try #require(try ServiceManager(environment: ["NOTIFY_SOCKET=\(folder.path)/n"]))
    let missing = #expect(throws: SystemError.self) { try manager.notify(.reloading) }
    #expect(missing?.code == ENOENT)
    let socket = try listen(Array("\(folder.path)/n".utf8) + [0])
    let full = #expect(throws: SystemError.self) {
      while true { try manager.notify(.reloading) }
    }
    #expect(full?.code == EAGAIN)
    #expect(!messages(socket).isEmpty)
  }

  @Test func `a malformed address is refused, a missing one gives nil`() throws {
    #expect(try ServiceManager(environment: ["A=b"]).isNone)
    #expect(try ServiceManager(environment: ["NOTIFY_SOCKET="]).isNone)
    let long = "/" + String(repeating: "n", count: LocalSocket.maxPathBytes)
    for text in ["n", "vsock:2:1", "@", "/", long] {
      #expect(throws: ServiceManager.MalformedAddress(text: text)) {
        try ServiceManager(environment: ["NOTIFY_SOCKET=\(text)"])
      }
    }
  }
}

extension Optional {
  fileprivate var isNone: Bool { if case .none = self { true } else { false } }
}
