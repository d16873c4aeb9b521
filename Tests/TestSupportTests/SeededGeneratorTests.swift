import TestSupport
import Testing

struct SeededGeneratorTests {
  @Test func `the same seed gives the same sequence and another seed another`() {
    func sequence(_ seed: UInt64) -> [UInt64] {
      var generator = SeededGenerator(seed: seed)
      return (0..<8).map { _ in generator.next() }
    }
    #expect(sequence(7) == sequence(7))
    #expect(sequence(7) != sequence(8))
  }
}
