import Testing
import TreeDomain

struct ClockReadingTests {
  @Test(arguments: Engine.allCases)
  func `the last reading of the clocks is stored`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    #expect(try under.storage.clockReading() == nil)
    for (seconds, wallSeconds) in [(0, 0), (5, 1_700_000_000), (9, -3)] {
      let reading = ClockReading(seconds: seconds, wallSeconds: wallSeconds)
      try under.storage.commit([.setClock(reading)])
      try under.reopen()
      #expect(try under.storage.clockReading() == reading)
    }
  }
}
