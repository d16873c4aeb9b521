import TestSupport
import Testing

@testable import TreeEngine

@Suite struct PartedArrayTests {
  private final class Object {}

  @Test(arguments: 0..<4) func `an array in parts is like an array`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var array = PartedArray<Int>()
    var model: [Int] = []
    var copies: [(PartedArray<Int>, [Int])] = []
    for step in 0..<5_000 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0...3:
        array.append(step)
        model.append(step)
      case 4...5:
        guard !model.isEmpty else { continue }
        array.removeLast()
        model.removeLast()
      case 6:
        guard let place = model.indices.randomElement(using: &random) else { continue }
        array[place] = step
        model[place] = step
      default:
        if copies.count < 20 { copies.append((array, model)) }
      }
      #expect(array.count == model.count && array.last == model.last, "seed \(seed)")
    }
    #expect(Array(array) == model && Array(PartedArray(model)) == model, "seed \(seed)")
    for (copy, model) in copies { #expect(Array(copy) == model, "seed \(seed)") }
  }

  @Test func `a write beside a copy copies a part only`() {
    var array = PartedArray((0..<1_000).map { _ in Object() })
    let copy = array
    array[500] = Object()
    // The copied part's objects have two owners.
    var copied = 0
    for place in array.indices where !isKnownUniquelyReferenced(&array[place]) { copied += 1 }
    #expect(0 < copied && copied < 100)
    withExtendedLifetime(copy) {}
  }

  @Test func `the memory of an array is that of its parts`() {
    var array = PartedArray<Int>()
    #expect(array.byteCount == 0)
    for number in 0..<10_000 { array.append(number) }
    #expect(80_000...100_000 ~= array.byteCount)
    for _ in 0..<9_990 { array.removeLast() }
    #expect(array.byteCount < 10_000)
  }
}
