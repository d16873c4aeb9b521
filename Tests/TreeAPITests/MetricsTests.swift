import HTTP
import TestSupport
import Testing
import TreeAPI
import TreeSessions

@Suite struct MetricsTests {
  @Test func `metrics of the service and of observers are one text`() throws {
    let api = TreeAPI(
      service: SessionStore(),
      observe: { $0.write("around", .gauge, 7, "What is around.") }
    )
    let response = try api.answer(to: try Request(method: .get, target: "/metrics"))
    #expect(response.status == .ok)
    let type = response.fields.value(.contentType)
    #expect(type?.elementsEqual("text/plain; version=0.0.4; charset=utf-8".utf8) == true)
    let read = try Exposition(String(decoding: response.body, as: UTF8.self))
    #expect(read.samples["around"] == 7)
  }

  @Test func `all templates are labels, and nothing else is`() {
    let labels = TreeAPI(service: SessionStore()).router.labels
    #expect(Set(labels) == Set(TreeAPI.routes.map(\.template)).union(["none", "malformed"]))
  }
}
