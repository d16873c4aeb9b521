/// The limits of a request's body.
package struct DecodingLimits: Equatable, Sendable {
  /// The largest nesting of arrays and objects in a node's object.
  ///
  /// A body may have the same nesting around its objects. So an object that was accepted in one
  /// request is accepted in every other.
  package var maxJSONDepth = 512
  /// The largest number of operations in a batch.
  package var maxOperations = 100_000
  /// The largest number of nodes in a body.
  package var maxNodes = 2_000_000
  /// The largest size of a key in bytes.
  package var maxKeyBytes = 512
  /// The largest size of an object or a merge patch in bytes.
  package var maxObjectBytes = 1_048_576
  /// The largest number of criteria in a sort order.
  package var maxSortDescriptors = 16
  /// The largest size of a JSON Pointer in bytes.
  ///
  /// Each of its tokens is compared with member names.
  package var maxPointerBytes = 1_024

  /// True if a new node's key or a new section's name must be safe in a path and a query.
  ///
  /// It is false for stored data, which must stay readable.
  package var requiresSafeNames = true

  /// True if the fast reader is used where possible.
  ///
  /// Tests compare it with the careful reader.
  package var readsQuickly = true

  /// The largest nesting of arrays and objects in a body, including those in objects of nodes.
  package var maxBodyDepth: Int {
    let (depth, overflows) = maxJSONDepth.multipliedReportingOverflow(by: 2)
    return overflows ? .max : depth
  }

  /// The control that can stop the decoding of a long body.
  private(set) var supervision = Supervision()

  /// A control, compared by identity.
  struct Supervision: Equatable, Sendable {
    var control: (any WorkControl)?

    static func == (left: Supervision, right: Supervision) -> Bool {
      left.control === right.control
    }
  }

  /// Returns the same limits with a control of the work; `nil` for work that nothing stops.
  package func controlled(by control: (any WorkControl)?) -> DecodingLimits {
    var limits = self
    limits.supervision.control = control
    return limits
  }

  /// Makes the default limits.
  package init() {}

  /// The limits for stored data: only those of the vocabulary and of the engine.
  package static var none: DecodingLimits {
    var limits = DecodingLimits()
    limits.maxJSONDepth = .max
    limits.maxOperations = .max
    limits.maxNodes = .max
    // The engine stores an object's length in 24 bits.
    limits.maxObjectBytes = 1 << 24 - 1
    limits.maxSortDescriptors = .max
    limits.maxPointerBytes = .max
    limits.requiresSafeNames = false
    return limits
  }
}
