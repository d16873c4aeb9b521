/// A member that makes the enclosing struct address-only for the compiler.
///
/// The compiler copies a large loadable struct to the stack for nearly every call that borrows it.
/// For one edit that is dozens of copies of some hundred bytes. A weak reference makes the struct
/// address-only and so prevents the copies. The reference is always nil.
struct Anchor: Anchoring {
  private final class Nothing: Sendable {}

  private weak let nothing: Nothing? = nil
}

/// A member that leaves the enclosing struct loadable.
///
/// Best for small structs and for those that are copied.
struct NoAnchor: Anchoring {}

/// A choice between ``Anchor`` and ``NoAnchor``.
protocol Anchoring: Sendable {
  init()
}

/// An object that is copied together with several chunked arrays.
///
/// If it has a single holder, none of these arrays has a copy. This check replaces one per array.
final class Loan: Sendable {}
