/// How much a request may ask for.
public struct DecodingLimits: Equatable, Sendable {
  /// How deep arrays and objects may be nested in an object of a node, and around objects in a
  /// body: an object that came in one way may come in every other way.
  public var maxJSONDepth = 512
  /// How many operations a batch may have.
  public var maxOperations = 100_000
  /// How many nodes one body may bring.
  public var maxNodes = 2_000_000
  /// How long a key may be, in bytes.
  public var maxKeyBytes = 512
  /// How long an object, or a merge patch, may be, in bytes.
  public var maxObjectBytes = 1_048_576
  /// How many criteria an order may have.
  public var maxSortDescriptors = 16

  /// True if a new node's key or a new section's name must be safe in a path and a query.
  ///
  /// False for what was stored before, which stays readable.
  package var requiresSafeNames = true

  /// Whether what needs no care is read quickly; the tests hold the two ways against each other.
  package var readsQuickly = true

  /// The depth of nested arrays and objects in a body, those in objects of nodes included.
  public var maxBodyDepth: Int {
    let (depth, overflows) = maxJSONDepth.multipliedReportingOverflow(by: 2)
    return overflows ? .max : depth
  }

  /// The control that may stop the reading of a long body.
  private(set) var supervision = Supervision()

  /// A control, told from others by its identity.
  struct Supervision: Equatable, Sendable {
    var control: (any WorkControl)?

    static func == (left: Supervision, right: Supervision) -> Bool {
      left.control === right.control
    }
  }

  /// Returns the same limits with a control of the work; `nil` for work that nothing stops.
  public func controlled(by control: (any WorkControl)?) -> DecodingLimits {
    var limits = self
    limits.supervision.control = control
    return limits
  }

  /// Makes the default limits.
  public init() {}

  /// No limits but those of the vocabulary itself: for what was taken before.
  package static var none: DecodingLimits {
    var limits = DecodingLimits()
    limits.maxJSONDepth = .max
    limits.maxOperations = .max
    limits.maxNodes = .max
    // The engine names an object's length in 24 bits.
    limits.maxObjectBytes = 1 << 24 - 1
    limits.maxSortDescriptors = .max
    limits.requiresSafeNames = false
    return limits
  }
}
