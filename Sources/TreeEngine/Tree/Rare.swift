/// An optional value that takes up no more than a word where there is none.
///
/// Views are many, and most have neither a filter nor anything that a transaction is about to
/// replace: what is rare is kept elsewhere, so that to walk over all views is to read little.
struct Rare<Value: Sendable>: Sendable {
  /// At most one.
  private var values: [Value] = []

  var isEmpty: Bool { values.isEmpty }

  /// Changes the value where it is, if there is one.
  mutating func update(_ body: (inout Value) -> Void) {
    if !values.isEmpty { body(&values[0]) }
  }

  var value: Value? {
    get { values.first }
    _modify {
      var value = values.popLast()
      defer { if let value { values.append(value) } else { values = [] } }
      yield &value
    }
  }
}
