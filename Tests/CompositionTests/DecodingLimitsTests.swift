import Testing
import TreeDomain

@testable import Composition

@Suite struct `What the configuration gives to the decoders` {
  @Test func `the built-in configuration gives their own defaults`() {
    #expect(Configuration().decodingLimits == DecodingLimits())
  }

  @Test(arguments: ["maxOperationsPerBatch", "maxNodesPerBody", "maxObjectBytes"])
  func `each limit reaches them`(name: String) throws {
    let setting = try #require(Setting.all.first { $0.name == name })
    var configuration = Configuration()
    try setting.apply(setting.sample, from: name, to: &configuration)
    #expect(configuration.decodingLimits != DecodingLimits())
  }
}
