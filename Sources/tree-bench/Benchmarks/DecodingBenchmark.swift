import JSON
import TreeDomain

/// Validation and decoding of the body of a batch, without applying it.
///
/// If simdjson is installed, its parse of the same body is measured for comparison. A parser that
/// reuses its memory is compared with decoding into used memory. A new parser is compared with
/// decoding as in the server, which returns large blocks to the system.
enum DecodingBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "decode", smallSize: 20, largeSize: 100_000) { size in
      let peer = Simdjson()
      let sizes = size > 1_000 ? [1_000, size] : [size]
      return sizes.flatMap { size in
        Decoding(name: "insertion", body: BatchBody.insertions(size), size: size).figures(peer)
          + Decoding(name: "mix", body: BatchBody.mix(size), size: size).figures(peer)
      }
    }
  }
}

/// A body that is decoded repeatedly.
private struct Decoding {
  let name: String
  let body: [UInt8]
  /// The number of operations in the body.
  let size: Int

  /// The number of times that each kind of parsing is done for a figure.
  private var rounds: Int { 15 + 30_000_000 / body.count }

  func figures(_ peer: borrowing Simdjson) -> [Measurement] {
    let check = measure("checked as JSON") { UInt64((try? JSONReader.validate(body).count) ?? 0) }
    return [check, decoded(keepingMemory: true), decoded(keepingMemory: false)] + ratios(peer)
  }

  private func decoded(keepingMemory: Bool) -> Measurement {
    let decode = { UInt64((try? Batch.decode(body: body).operations.count) ?? 0) }
    guard keepingMemory else { return measure("decoded, new memory", decode) }
    return KeptMemory.during { measure("decoded, kept memory", decode) }
  }

  private func measure(_ what: String, _ work: () -> UInt64) -> Measurement {
    Measurement("\(name), \(what)", size: size, rounds: rounds, operations: size, work)
  }

  /// Returns the ratios of our speed to simdjson's, measured alternately; none if it is not
  /// installed.
  private func ratios(_ peer: borrowing Simdjson) -> [Measurement] {
    var (kept, new, kernel): ([Double], [Double], String) = ([], [], "")
    for _ in 0..<7 {
      guard let times = peer.times(of: body, rounds: rounds) else { return [] }
      kernel = times.kernel
      kept.append(times.kept / Double(size) / decoded(keepingMemory: true).value)
      new.append(times.new / Double(size) / decoded(keepingMemory: false).value)
    }
    return [("kept memory", kept), ("new memory", new)].map { memory, turns in
      let label = "\(name), of simdjson's (\(kernel)), \(memory)"
      var ratio = Measurement(label, size: size, rounds: 1, operations: 1) { UInt64(size) }
      ratio.value = turns.sorted()[turns.count / 2]
      ratio.unit = .ratio
      return ratio
    }
  }
}
