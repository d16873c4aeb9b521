import Foundation
import Glibc
import TestSupport

/// An nginx with default settings in front of the service, over HTTP/1.1 and, with TLS, HTTP/2.
final class NginxProxy {
  /// True if nginx is installed, and openssl, which makes its certificate.
  static let isInstalled = runCommand(["nginx", "-v"]) && runCommand(["openssl", "version"])

  /// The port for HTTP/1.1.
  private(set) var port: UInt16 = 0
  /// The port for HTTP/2.
  private(set) var securePort: UInt16 = 0
  private let folder: TemporaryFolder
  private var process = Process()

  /// Starts the proxy.
  ///
  /// - Parameters:
  ///   - upstreams: The ports of services by path prefix, such as `/`.
  ///   - pages: HTML pages by name.
  ///   - passing: The ports of services that get paths unchanged, by path prefix.
  init(
    _ upstreams: [String: UInt16],
    pages: [String: String] = [:],
    passing: [String: UInt16] = [:]
  ) throws {
    folder = try TemporaryFolder()
    for (name, text) in pages { try folder.write(Array(text.utf8), to: name) }
    let certificate = [
      "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
      "/CN=localhost", "-keyout", folder.path + "/key", "-out", folder.path + "/certificate",
    ]
    guard runCommand(certificate) else { throw WireError("openssl made no certificate") }
    // Another process may take the port before nginx uses it.
    for _ in 0..<5 where !process.isRunning {
      try start(upstreams, pages.keys.sorted(), passing)
    }
    guard process.isRunning else {
      let log = String(decoding: folder.bytes(of: "error.log") ?? [], as: UTF8.self)
      throw WireError("nginx did not start: \(log.suffix(2_000))")
    }
  }

  deinit {
    guard process.isRunning else { return }
    // The process may have inherited a signal mask that blocks SIGTERM.
    _ = kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  private func start(
    _ upstreams: [String: UInt16],
    _ pages: [String],
    _ passing: [String: UInt16]
  ) throws {
    (port, securePort) = (try Self.freePort(), try Self.freePort())
    let locations =
      upstreams.map { "location \($0) { proxy_pass http://127.0.0.1:\($1)/; }" }
      + passing.map { "location \($0) { proxy_pass http://127.0.0.1:\($1); }" }
      + pages.map { "location = /\($0) { root \(folder.path); default_type text/html; }" }
    let temporaries = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
      "\($0)_temp_path \(folder.path)/\($0);"
    }
    let configuration = """
      daemon off; master_process off; pid \(folder.path)/pid; error_log \(folder.path)/error.log;
      events {}
      http {
        access_log off;
        \(temporaries.joined(separator: " "))
        server { listen 127.0.0.1:\(port); \(locations.joined(separator: " ")) }
        server {
          listen 127.0.0.1:\(securePort) ssl http2;
          ssl_certificate \(folder.path)/certificate; ssl_certificate_key \(folder.path)/key;
          \(locations.joined(separator: " "))
        }
      }
      """
    try folder.write(Array(configuration.utf8), to: "nginx.conf")
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "nginx", "-p", folder.path, "-e", folder.path + "/error.log", "-c",
      folder.path + "/nginx.conf",
    ]
    // An nginx that is left behind must not keep the output of the tests open.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    while process.isRunning, (try? BlockingConnection(port: port)) == nil { usleep(10_000) }
  }

  /// Returns a port that is free at this moment.
  private static func freePort() throws -> UInt16 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        let isBound = unsafe bind(descriptor, generic, size) == 0
        return unsafe isBound && getsockname(descriptor, generic, &size) == 0
      }
    }
    guard result else { throw WireError("there is no free port: errno \(errno)") }
    return UInt16(bigEndian: address.sin_port)
  }
}
