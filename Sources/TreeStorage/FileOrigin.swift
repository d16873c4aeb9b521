/// Tells a file from its copies: its number on its device, and the moment it was made.
///
/// A file keeps both when it is renamed, when its folder is moved on the same file system, and
/// across restarts. A copy has others: the number of a file that was removed may come again at
/// once, but not with the same moment. The device is left out, as its number may be another one
/// after a restart of the machine or in another container.
///
/// Where a file system does not tell when a file was made, the number alone counts. Where it gives
/// files new numbers at each mount, each of these looks like a copy.
struct FileOrigin: Equatable {
  let number: Int
  /// The birth time, in seconds since 1970 and nanoseconds; 0 if it is not known.
  let seconds: Int
  let nanoseconds: Int
}
