/// An optional value that takes one word if it is nil.
///
/// A tree has many views. Most have no filter and no change in the running transaction. So such
/// values are stored apart, and a loop over all views reads little memory.
struct Rare<Value: Sendable>: Sendable {
  /// The value; at most one element.
  private var values: [Value] = []

  var isEmpty: Bool { values.isEmpty }

  /// Changes the value in place, if there is one.
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
