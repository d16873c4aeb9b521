import JSON
import TreeDomain

extension Benchmark {
  /// The body of a batch, checked as JSON and decoded: what comes before it is applied.
  ///
  /// Where simdjson is installed, its parse of the same body stands beside it.
  static var decoding: Benchmark {
    Benchmark(name: "decode", smallSize: 100, largeSize: 100_000) { size in
      let peer = Simdjson()
      let sizes = size > 1_000 ? [1_000, size] : [size]
      return sizes.flatMap { size in
        measure("insertion", BatchBody.insertions(size), size, peer)
          + measure("operation of a mix", BatchBody.mix(size), size, peer)
      }
    }
  }

  private static func measure(
    _ what: String,
    _ body: [UInt8],
    _ size: Int,
    _ peer: borrowing Simdjson
  ) -> [Measurement] {
    let rounds = max(1, 1_000 / size)
    let check = { UInt64((try? JSONReader.validate(body).count) ?? 0) }
    let decode = { UInt64((try? Batch.decode(body: body).operations.count) ?? 0) }
    let measure = { (label: String, work: () -> UInt64) in
      Measurement("\(what), \(label)", size: size, rounds: 15, operations: size * rounds) {
        (0..<rounds).reduce(0) { sum, _ in sum &* 31 &+ work() }
      }
    }
    var figures = [measure("checked as JSON", check), measure("decoded", decode)]
    if let turns = peer.turns(body, operations: size, { measure("decoded", decode).value }) {
      let label = "\(what), of simdjson's speed"
      var ratio = Measurement(label, size: size, rounds: 1, operations: 1) { UInt64(size) }
      ratio.value = turns
      ratio.unit = .ratio
      figures.append(ratio)
    }
    return figures
  }
}
