import HTTP
import Synchronization
import Testing
import TreeSessions

@testable import TreeAPI

@Suite struct `Static answers` {
  private final class Compressions: Sendable {
    let contents = Mutex<[[UInt8]]>([])
  }

  @Test func `are compressed once, before the first request`() throws {
    let compressions = Compressions()
    let api = TreeAPI(
      service: SessionStore(),
      compress: { content in
        compressions.contents.withLock { $0.append(content) }
        return Array("compressed".utf8)
      }
    )
    let compressed = compressions.contents.withLock(\.self)
    #expect(Set(compressed).count == compressed.count)
    for target in ["/openapi.yaml", "/healthz", "/problems/cycle", "/openapi.yaml"] {
      let request = try Request(method: .get, target: target, fields: Fields(), body: [])
      let response = try api.answer(to: request)
      #expect(response.status == .ok && compressed.contains(response.body), "\(target)")
      #expect(response.compressedBody == Array("compressed".utf8), "\(target)")
    }
    #expect(compressions.contents.withLock(\.count) == compressed.count)
  }

  @Test func `are not compressed without compression`() throws {
    let api = TreeAPI(service: SessionStore())
    for target in ["/openapi.yaml", "/problems/cycle"] {
      let request = try Request(method: .get, target: target, fields: Fields(), body: [])
      let response = try api.answer(to: request)
      #expect(response.status == .ok && response.compressedBody == nil)
    }
  }
}
