import Testing

@testable import Composition

/// The settings of an instance of a cluster.
struct ClusterSettingTests {
  private static let database = ["--storage=postgresql://h/t"]

  private func settledSecret(_ text: String) throws -> [UInt8] {
    let arguments = Self.database + ["--advertise=h:1", "--cluster-secret-file=s"]
    return try settled(arguments, files: ["s": text]).clusterSecret
  }

  private func expect(_ fault: ClusterFault, _ arguments: [String], secret: String = "") {
    #expect(throws: ConfigurationError.faultyCluster(fault)) {
      try settle(Self.database + arguments, files: ["s": secret])
    }
  }

  @Test func `the secret is one word of a file`() throws {
    let word = "0123456789abcdef"
    #expect(try settledSecret("\(word)\n") == Array(word.utf8))
    let arguments = ["--advertise=h:1", "--cluster-secret-file=s"]
    for text in ["", "short\n", "\(word) \(word)", "0123456789abcde\u{E9}"] {
      expect(.malformedSecret("s"), arguments, secret: text)
    }
  }

  @Test func `an address needs a port, a secret and a database`() {
    for address in ["h", "h:", ":1", "h:0", "h:65536", "http://h:1", "a b:1"] {
      expect(
        .malformedAddress(address),
        ["--advertise=\(address)", "--cluster-secret-file=s"],
        secret: "0123456789abcdef"
      )
    }
    expect(.noSecret, ["--advertise=h:1"])
    #expect(throws: ConfigurationError.faultyCluster(.noDatabase)) {
      try settle(
        ["--advertise=h:1", "--cluster-secret-file=s"],
        files: ["s": "0123456789abcdef"]
      )
    }
  }
}
