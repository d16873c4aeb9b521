import TestSupport
import Testing

/// Tests of nodes with hostile keys through common clients.
@Suite struct `A request for a node reaches that node or is refused` {
  @Test(.enabled(if: NamesProgram.curl.isInstalled, "curl is not installed"))
  func `through curl`() throws { try expectOwnNodes(.curl) }

  @Test(.enabled(if: NamesProgram.curl.isInstalled, "curl is not installed"))
  func `through curl with option path-as-is`() throws { try expectOwnNodes(.curlAsIs) }

  @Test(.enabled(if: NamesProgram.httpClient.isInstalled, "python3 is not installed"))
  func `through the HTTP client of Python`() throws { try expectOwnNodes(.httpClient) }

  @Test(.enabled(if: NamesProgram.requests.isInstalled, "no python3 can import requests"))
  func `through requests for Python`() throws { try expectOwnNodes(.requests) }

  @Test(
    .enabled(if: NamesProgram.chromium.isInstalled, "chromium, nginx or openssl is not installed")
  )
  func `through Chromium`() throws { try expectOwnNodes(.chromium) }

  /// Behind a proxy that decodes paths, a path may reach another node. Addresses without keys in
  /// the path reach the right one.
  @Test(
    .enabled(
      if: NginxProxy.isInstalled && NamesProgram.httpClient.isInstalled,
      "nginx, openssl or python3 is not installed"
    )
  )
  func `through a proxy that decodes paths, by addresses without keys in the path`() throws {
    let service = try Program(["--port", "0", "--storage", "memory"])
    let port = try service.waitForPort()
    let proxy = try NginxProxy(["/": port])
    let client = try NamesProgram.httpClient.client(ofPort: proxy.port)
    let run = try NamesRun(client, port: port, target: HostileKeys.decoded)
    for key in HostileKeys.possible { try run.useNode(key) }
    for (key, segment) in HostileKeys.written { try run.useNoNode(key, written: segment) }
  }

  @Test func `behind a proxy that decodes paths, if its key has no slash`() {
    for key in HostileKeys.possible where !key.contains("/") {
      for verb in [nil, "children", "move"] { #expect(HostileKeys.decoded(key, verb) == key) }
    }
    #expect(HostileKeys.decoded("a//b", nil) == nil)
    #expect(HostileKeys.decoded("docs/children", nil) == nil)
  }

  private func expectOwnNodes(_ program: NamesProgram) throws {
    let service = try Program(["--port", "0", "--storage", "memory"])
    let port = try service.waitForPort()
    let run = try NamesRun(program.client(ofPort: port), port: port)
    for key in HostileKeys.possible { try run.useNode(key) }
    for (key, segment) in HostileKeys.written { try run.useNoNode(key, written: segment) }
  }
}
