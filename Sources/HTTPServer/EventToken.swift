/// The subject of an event: a descriptor and its generation.
///
/// A descriptor number is used again as soon as it is closed. An event for its former owner may
/// still be waiting then. The generation tells the two apart.
struct EventToken: Hashable {
  let generation: UInt32
  let descriptor: Int32

  /// Creates the token of a descriptor that exists as long as the event loop.
  init(permanent descriptor: Int32) {
    generation = 0
    self.descriptor = descriptor
  }

  /// Creates the token of a connection's descriptor.
  ///
  /// Generations start at 1.
  init(generation: UInt32, descriptor: Int32) {
    precondition(generation > 0, "generation 0 is for what lives as long as the loop")
    self.generation = generation
    self.descriptor = descriptor
  }

  /// Creates a token from its packed form.
  init(packed: UInt64) {
    generation = UInt32(packed >> 32)
    descriptor = Int32(truncatingIfNeeded: packed)
  }

  /// The token as 64 bits of epoll user data.
  var packed: UInt64 {
    UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
  }
}
