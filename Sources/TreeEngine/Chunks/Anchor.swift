/// Makes the compiler know a value by its address only, and whatever has that value in it.
///
/// A large struct that it may load, it copies to the stack for nearly every call that borrows it:
/// for an edit of a tree, dozens of times some hundred bytes. A weak reference must stay where it
/// is. This one refers to nothing.
struct Anchor: Anchoring {
  private final class Nothing: Sendable {}

  private weak let nothing: Nothing? = nil
}

/// Lets the compiler move a value about: best for small ones and for those that are copied.
struct NoAnchor: Anchoring {}

/// Whether the compiler may load a value: ``NoAnchor``, or ``Anchor``.
protocol Anchoring: Sendable {
  init()
}
