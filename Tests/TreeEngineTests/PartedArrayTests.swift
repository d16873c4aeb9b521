import TestSupport
import Testing

@testable import TreeEngine

@Suite struct PartedArrayTests {
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
    var array = PartedArray(0..<1_000)
    let copy = array
    array[500] = 0
    let copied = zip(array.parts, copy.parts).count { own, others in
      unsafe own.withUnsafeBufferPointer { own in
        unsafe others.withUnsafeBufferPointer { unsafe $0.baseAddress != own.baseAddress }
      }
    }
    #expect(copied == 1 && copy[500] == 500)
    #expect(array.parts.allSatisfy { $0.count <= 100 })
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
