import HTTP
import HTTPServer
import Testing

@testable import Composition

@Suite struct `What the configuration gives to the HTTP layer` {
  @Test func `the built-in configuration gives the layer's own defaults`() {
    #expect("\(Configuration().limits)" == "\(Limits())")
    #expect("\(Configuration().serverOptions)" == "\(ServerOptions())")
  }

  @Test(arguments: [
    "maxRequestsPerConnection", "maxBodyBytes", "headerTimeoutSeconds", "bodyTimeoutSeconds",
    "minBytesPerSecond", "idleTimeoutSeconds", "writeStallSeconds",
  ])
  func `each limit reaches the layer`(name: String) throws {
    let configuration = try changed(name)
    #expect("\(configuration.limits)" != "\(Limits())")
    #expect("\(configuration.serverOptions)" == "\(ServerOptions())")
  }

  @Test(arguments: [
    "host", "port", "unixSocket", "loops", "maxConnections", "maxConnectionsPerAddress",
  ])
  func `each option reaches the layer`(name: String) throws {
    let configuration = try changed(name)
    #expect("\(configuration.serverOptions)" != "\(ServerOptions())")
    #expect("\(configuration.limits)" == "\(Limits())")
  }

  @Test func `seconds are stored in milliseconds`() throws {
    let configuration = try resolved(["--idle-timeout-seconds", "3"])
    #expect(configuration.limits.idleTimeoutMilliseconds == 3_000)
    #expect(configuration.rendered().contains("\"idleTimeoutSeconds\": 3,"))
  }

  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1:80"), ("::1", "http://[::1]:80"),
    ("localhost", "http://localhost:80"),
  ])
  func `an address is said as a URL`(host: String, url: String) {
    var configuration = Configuration()
    configuration.host = host
    #expect(configuration.places(port: 80) == [url])
  }

  /// The built-in configuration with another value for one setting.
  private func changed(_ name: String) throws -> Configuration {
    let setting = try #require(Setting.all.first { $0.name == name })
    var configuration = Configuration()
    try setting.apply(setting.sample, from: name, to: &configuration)
    return configuration
  }
}
