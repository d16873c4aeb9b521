import Foundation
import Glibc
import TestSupport

/// A proxy with a site file of `Config`, in front of a program.
///
/// Only the addresses and the certificate of the file are replaced.
final class Proxy {
  /// A kind of proxy.
  enum Kind: String, CaseIterable, Sendable {
    case nginx
    case caddy

    /// The path of the site file, relative to the root of the repository.
    var site: String { self == .nginx ? "Config/nginx/tree-server.conf" : "Config/caddy/Caddyfile" }
  }

  /// The host name of the site.
  static let name = "trees.example"

  private let folder: TemporaryFolder
  private let process = Process()
  private let port: UInt16

  /// Starts a proxy in front of a port, and waits until it answers.
  init(_ kind: Kind, to program: UInt16) throws {
    folder = try TemporaryFolder()
    port = try HeldSocket().port
    let certificate = try Self.makeCertificate(in: folder)
    var site = try String(contentsOfFile: "\(Tool.root)/\(kind.site)", encoding: .utf8)
    try site.replaceOnce("127.0.0.1:8080", with: "127.0.0.1:\(program)")
    let file = "\(folder.path)/proxy"
    guard let tool = Tool(kind.rawValue) else { throw WireError("\(kind) is not installed") }
    let arguments: [String]
    switch kind {
    case .nginx:
      try site.replaceOnce("listen 443 ssl http2;", with: "listen 127.0.0.1:\(port) ssl http2;")
      try site.replaceOnce("listen [::]:443 ssl http2;", with: "")
      try site.replaceOnce("/etc/nginx/tls/\(Self.name).crt", with: certificate.certificate)
      try site.replaceOnce("/etc/nginx/tls/\(Self.name).key", with: certificate.key)
      site = Self.nginxFrame(site, in: folder.path)
      arguments = ["-p", folder.path, "-c", file]
    case .caddy:
      let (certificate, key) = certificate
      try site.replaceOnce(
        "\n\(Self.name) {\n",
        with: "\nhttps://\(Self.name):\(port) {\n\tbind 127.0.0.1\n\ttls \(certificate) \(key)\n"
      )
      site = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n" + site
      arguments = ["run", "--adapter", "caddyfile", "--config", file]
    }
    try folder.write(Array(site.utf8), to: "proxy")
    process.executableURL = URL(filePath: tool.path)
    process.arguments = arguments
    process.environment = ["HOME": folder.path, "XDG_DATA_HOME": folder.path]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitForAnswer()
  }

  deinit {
    // SIGTERM may be blocked, as signal masks are inherited. With it, nginx ends its worker.
    process.terminate()
    for _ in 0..<500 where process.isRunning { usleep(10_000) }
    if process.isRunning { _ = Glibc.kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  /// Returns the arguments for curl to request a path by HTTP/2.
  func curl(_ path: String, _ options: [String] = []) -> [String] {
    let place = "\(Self.name):\(port)"
    return ["--http2", "-k", "--path-as-is", "--resolve", "\(place):127.0.0.1"] + options
      + ["https://\(place)\(path)"]
  }

  private func waitForAnswer() throws {
    for _ in 0..<600 {
      if let answer = try? Curl(curl("/healthz")), answer.head.hasPrefix("HTTP/2 200") { return }
      guard process.isRunning else { throw WireError("the proxy has ended") }
      usleep(100_000)
    }
    throw WireError("the proxy did not answer")
  }

  private static func makeCertificate(
    in folder: TemporaryFolder
  ) throws -> (certificate: String, key: String) {
    let (certificate, key) = ("\(folder.path)/certificate", "\(folder.path)/key")
    guard let openssl = Tool("openssl") else { throw WireError("openssl is not installed") }
    let ending = try openssl.run(
      ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=\(name)"]
        + ["-keyout", key, "-out", certificate]
    )
    guard ending.status == 0 else { throw WireError("no certificate: \(ending.output)") }
    return (certificate, key)
  }

  /// Returns a configuration for nginx that contains a site: one process in the foreground.
  static func nginxFrame(_ site: String, in folder: String) -> String {
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
      .map { "\($0)_temp_path \(folder)/\($0);" }
    let user = getuid() == 0 ? "user root;" : ""
    return """
      daemon off; worker_processes 1; pid \(folder)/pid; error_log \(folder)/errors; \(user)
      events {}
      http { access_log off; \(temporary.joined(separator: " "))
      \(site)
      }
      """
  }
}

extension String {
  /// Replaces a text, which must occur exactly once.
  fileprivate mutating func replaceOnce(_ text: String, with other: String) throws {
    guard ranges(of: text).count == 1 else { throw WireError("\(text) does not occur once") }
    replace(text, with: other)
  }
}
