/// What an event is about: a descriptor and which of its owners in the course of time.
///
/// A descriptor number is used again as soon as it is closed, perhaps while an event for its former
/// owner is waiting to be handled. The generation tells them apart.
struct EventToken: Hashable {
  let generation: UInt32
  let descriptor: Int32

  /// The token of a descriptor that lives as long as the loop.
  init(permanent descriptor: Int32) {
    generation = 0
    self.descriptor = descriptor
  }

  /// The token of a connection's descriptor; generations count from 1.
  init(generation: UInt32, descriptor: Int32) {
    precondition(generation > 0, "generation 0 is for what lives as long as the loop")
    self.generation = generation
    self.descriptor = descriptor
  }

  /// The token that was packed.
  init(packed: UInt64) {
    generation = UInt32(packed >> 32)
    descriptor = Int32(truncatingIfNeeded: packed)
  }

  /// The token as the 64 bits that go through the kernel and back.
  var packed: UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}
