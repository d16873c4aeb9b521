/// A reason why bytes cannot be read as an image.
public enum ImageError: Error, Equatable, Sendable {
  /// The bytes were truncated or changed.
  case damaged
  /// The bytes have another format.
  case foreign
  /// The version of the format is not supported.
  case unknownVersion(UInt32)
}
