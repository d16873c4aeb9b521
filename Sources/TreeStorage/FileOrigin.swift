/// The number of a file on its device, and its birth time.
///
/// It distinguishes a file from its copies.
///
/// Both stay the same when the file is renamed, when its folder is moved within the file system,
/// and across restarts. A copy differs in at least one: a new file may reuse the number of a
/// removed one, but not its birth time. The device is left out, because its number may change when
/// the machine restarts or in another container.
///
/// On a file system without birth times, only the number counts. If a file system assigns new
/// numbers at each mount, the file looks like a copy after each mount.
struct FileOrigin: Equatable {
  let number: Int
  /// The birth time, in seconds since 1970 and nanoseconds; 0 if it is not known.
  let seconds: Int
  let nanoseconds: Int
}
