import HTTP
import TestSupport
import Testing
import TreeDomain
import TreeSessions

@testable import TreeAPI

struct SecretSealingTests {
  private func sealing(_ credential: String, _ token: String) -> SecretSealing {
    SecretSealing(credential: Array(credential.utf8), token: Array(token.utf8))
  }

  @Test func `a sealed secret is opened with its credential and token`() throws {
    var random = SeededGenerator(seed: 1)
    let sealing = sealing(Gate.keys[0], "one 1")
    let sealed = (0..<50).map { _ in sealing.seal(using: &random) }
    let secrets = try sealed.map { try sealing.open($0).bytes }
    #expect(Set(secrets).count == 50)
    for (sealed, secret) in zip(sealed, secrets) {
      #expect(try sealing.open(sealed).bytes == secret)
      #expect(sealed.digest.bytes == SHA256.hash(secret))
    }
  }

  @Test(arguments: [(Gate.keys[1], "one 1"), (Gate.keys[0], "one 2"), (Gate.keys[0], "")])
  func `a sealed secret is not opened with others`(credential: String, token: String) throws {
    var random = SeededGenerator(seed: 2)
    let sealed = sealing(Gate.keys[0], "one 1").seal(using: &random)
    let refused = #expect(throws: ServiceError.self) {
      _ = try sealing(credential, token).open(sealed)
    }
    #expect(refused?.code == .idempotencyKeyReused)
  }

  @Test func `a retry with a replaced key is refused`() throws {
    let service = SessionStore()
    func create(_ secret: String) throws -> Answer {
      let gate = try Gate(service) { options in
        options.keys = AccessKeys()
        try options.keys.add(lines: Array("one:\(secret)".utf8))
      }
      return try gate.send(.post, "/v1/sessions", "{}", token: secret, [(.idempotencyKey, "1")])
    }
    let made = try create(Gate.keys[0])
    #expect(made.status == 201)
    #expect(try create(Gate.keys[1]).code == "idempotency-key-reused")
    #expect(service.statistics.sessions == 1)
    #expect(try create(Gate.keys[0]).body == made.body)
  }
}
