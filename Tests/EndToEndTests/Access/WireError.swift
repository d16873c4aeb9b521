/// An error in the communication between a client and its peer.
struct WireError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
