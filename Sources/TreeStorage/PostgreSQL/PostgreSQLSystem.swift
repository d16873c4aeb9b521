internal import CLinux
internal import CPostgres
internal import Glibc
internal import TreeDomain

/// Calls of the system and of the client library that need no connection.
enum PostgreSQLSystem {
  /// A box that passes a thread's closure through the C call.
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a thread that ends by itself.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the system has none.
  static func startThread(_ body: @escaping @Sendable () -> Void) throws(StorageError) {
    let work = unsafe Unmanaged.passRetained(Work(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread,
      nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      },
      work.toOpaque()
    )
    guard code == 0 else {
      unsafe work.release()
      throw .failed("there is no thread to extend the lease on the database")
    }
    pthread_detach(thread)
  }

  /// Waits until a descriptor can be read, at most for some milliseconds.
  static func wait(for descriptor: Int32, milliseconds: Int) {
    var awaited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&awaited, 1, Int32(milliseconds))
  }

  /// Resets an event descriptor that woke a thread, so that the next wait blocks again.
  static func clear(_ descriptor: Int32) {
    var value: eventfd_t = 0
    _ = unsafe eventfd_read(descriptor, &value)
  }

  /// The monotonic time in milliseconds, which also counts while the machine is suspended.
  static var monotonicMilliseconds: Int {
    var time = timespec()
    guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return .max }
    return time.tv_sec * 1_000 + time.tv_nsec / 1_000_000
  }

  /// The name of the machine; nil if it has none.
  static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard unsafe gethostname(&name, name.count - 1) == 0 else { return nil }
    return text(name)
  }

  /// Loads the client library.
  ///
  /// - Returns: The reason why it cannot be used; nil on success.
  static func loadLibrary() -> String? {
    guard let fault = unsafe cpostgres_load() else { return nil }
    return unsafe String(cString: fault)
  }

  /// Returns the password in a connection URI, empty if there is none; nil if the URI is malformed.
  static func password(in uri: String) -> String? {
    var password = [CChar](repeating: 0, count: 4_096)
    guard unsafe cpostgres_parse(uri, &password, password.count) == 0 else { return nil }
    return text(password)
  }

  private static func text(_ characters: [CChar]) -> String {
    let bytes = characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }
}
