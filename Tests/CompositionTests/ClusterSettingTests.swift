import Testing

@testable import Composition

/// The settings of an instance of a cluster.
struct ClusterSettingTests {
  private static let database = ["--storage=postgresql://h/t"]

  private func hasSecret(_ text: String) throws -> Bool {
    let arguments = Self.database + ["--advertise=10.0.0.1:1", "--cluster-secret-file=s"]
    return try resolved(arguments, files: ["s": text]).clusterSecret != nil
  }

  private func expect(_ fault: ClusterFault, _ arguments: [String], secret: String = "") {
    #expect(throws: ConfigurationError.faultyCluster(fault)) {
      try resolve(Self.database + arguments, files: ["s": secret])
    }
  }

  @Test func `the secret is one word of a file`() throws {
    let word = "0123456789abcdef"
    #expect(try hasSecret("\(word)\n"))
    let arguments = ["--advertise=10.0.0.1:1", "--cluster-secret-file=s"]
    for text in ["", "short\n", "\(word) \(word)", "0123456789abcde\u{E9}"] {
      expect(.malformedSecret("s"), arguments, secret: text)
    }
  }

  @Test func `an address needs a port, a secret and a database`() {
    for address in ["h", "10.0.0.1", ":1", "10.0.0.1:0", "10.0.0.1:65536", "h:1"] {
      expect(
        .malformedAddress(address),
        ["--advertise=\(address)", "--cluster-secret-file=s"],
        secret: "0123456789abcdef"
      )
    }
    expect(.noSecret, ["--advertise=10.0.0.1:1"])
    #expect(throws: ConfigurationError.faultyCluster(.noDatabase)) {
      try resolve(
        ["--advertise=10.0.0.1:1", "--cluster-secret-file=s"],
        files: ["s": "0123456789abcdef"]
      )
    }
  }
}
