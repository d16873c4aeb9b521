import Testing

@testable import TreeClient

@Suite struct `A limit of time` {
  @Test func `ends work that hears nothing`() async throws {
    let problem = await #expect(throws: TreeProblem.self) {
      try await Watchdog.run(limit: .milliseconds(10)) { _ in
        try await Task.sleep(for: .seconds(3_600))
      }
    }
    #expect(problem?.code == "no-answer")
  }

  @Test func `begins anew after the process was suspended`() async throws {
    let isAwake = Gate()
    let value = try await Watchdog.run(
      limit: .milliseconds(100),
      sleep: { duration in
        try await Task.sleep(for: duration + .milliseconds(1_500))
        isAwake.open()
      },
      { _ in
        await isAwake.wait()
        return 1
      }
    )
    #expect(value == 1)
  }
}
