/// Why bytes cannot be read back as what they were written from.
public enum ImageError: Error, Equatable, Sendable {
  /// They were cut off or changed since.
  case damaged
  /// They are of another kind.
  case foreign
  /// They are of a version of the format that is not known here.
  case unknownVersion(UInt32)
}
