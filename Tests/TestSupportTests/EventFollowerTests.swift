import Testing

@testable import TestSupport

/// Tests that event followers accept valid events and find errors.
struct EventFollowerTests {
  @Test(arguments: RandomProfile.all)
  func `the events of the model lead to its state`(profile: RandomProfile) throws {
    for seed in Seed.seeds(count: 2) {
      try run(seed, profile: profile) { _ in }
    }
  }

  @Test(arguments: [
    ("\"revision\":4", "\"revision\":5"), ("\"previousRevision\":4", "\"previousRevision\":3"),
    ("\"rowCount\":2", "\"rowCount\":3"), ("\"type\":\"insert\"", "\"type\":\"update\""),
    ("\"type\":\"delete\"", "\"type\":\"update\""), ("\"newIndex\":1", "\"newIndex\":0"),
    ("\"origin\":\"other\"", "\"origin\":\"own\""), ("\"origin\":\"own\"", "\"origin\":\"mixed\""),
    ("\"origin\":\"mixed\"", "\"origin\":\"other\""), ("\"expanded\":true", "\"expanded\":false"),
    ("\"childCount\":1", "\"childCount\":2"),
  ])
  func `an error in an event is found`(_ right: String, _ wrong: String) {
    #expect(isNoticed { $0.data = $0.data.replacing(right, with: wrong) })
  }

  @Test func `a wrong revision or type of an event is found`() {
    #expect(isNoticed { $0.id += "0" })
    #expect(isNoticed { $0.type = "reset" })
  }

  @Test func `an error in an event of missed revisions is found`() {
    #expect(
      isNoticed { event in
        guard let list = try? ChangeList(RawJSON(parsing: event.data)) else { return }
        guard list.revision > list.previousRevision + 1 else { return }
        event.data = event.data.replacing("\"rowCount\":", with: "\"rowCount\":1")
      }
    )
  }

  private func isNoticed(_ sabotage: @escaping (inout ServerSentEvents.Event) -> Void) -> Bool {
    Seed.seeds(count: 6).contains { seed in
      do {
        try run(seed, profile: .plain, sabotage)
        return false
      } catch {
        return error is DifferentialFailure
      }
    }
  }

  private func run(
    _ seed: UInt64,
    profile: RandomProfile,
    _ sabotage: @escaping (inout ServerSentEvents.Event) -> Void
  ) throws {
    let service = ModelService()
    try SharedTreeRun.run(
      seed: seed,
      steps: Seed.operations(default: 25),
      profile: profile,
      service: service,
      events: ModelEvents(service: service, sabotage: sabotage)
    )
  }
}
