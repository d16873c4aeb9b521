import Testing
import TreeAPI

@testable import Composition

@Suite struct `What the configuration gives to the API` {
  @Test func `the built-in configuration gives its own defaults`() {
    #expect(Configuration().apiOptions == TreeAPIOptions())
  }

  @Test(arguments: [
    "maxWaitSeconds", "heartbeatSeconds", "maxBodyBytes", "maxImportBytes", "maxNodesPerTree",
    "maxRequestSeconds", "explorer",
  ])
  func `each option reaches it`(name: String) throws {
    let setting = try #require(Setting.all.first { $0.name == name })
    var configuration = Configuration()
    try setting.apply(setting.sample, from: name, to: &configuration)
    #expect(configuration.apiOptions != TreeAPIOptions())
  }
}
