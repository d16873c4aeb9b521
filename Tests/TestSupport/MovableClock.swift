import Foundation
import Synchronization

/// A clock that a test moves, for processes that are started with its ``variables``.
///
/// A library that is loaded before others adds seconds from a shared file to the time of day. The
/// monotonic clock stays as it is.
package final class MovableClock: Sendable {
  private let folder: TemporaryFolder
  private let difference = Mutex(0)

  /// The compiled library; nil without a compiler, which is reported once.
  private static let library: (path: String, folder: TemporaryFolder)? = {
    guard let folder = try? TemporaryFolder(),
      (try? folder.write(Array(source.utf8), to: "clock.c")) != nil
    else { return nil }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    let path = "\(folder.path)/clock.so"
    process.arguments = ["clang", "-shared", "-fPIC", "-O1", "-o", path, "\(folder.path)/clock.c"]
    process.standardError = FileHandle.nullDevice
    if (try? process.run()) != nil {
      process.waitUntilExit()
      if process.terminationStatus == 0 { return (path, folder) }
    }
    let line = "there is no C compiler (clang): no test moves a clock\n"
    FileHandle.standardError.write(Data(line.utf8))
    return nil
  }()

  /// True if clocks can be moved.
  package static var isAvailable: Bool { library != nil }

  /// Creates a clock that shows the time.
  package init() throws {
    folder = try TemporaryFolder()
    try move(bySeconds: 0)
  }

  /// The variables of the environment of a process with this clock; empty if it cannot be moved.
  package var variables: [String: String] {
    guard let library = Self.library else { return [:] }
    return ["LD_PRELOAD": library.path, "CLOCK_OFFSET_FILE": "\(folder.path)/offset"]
  }

  /// Sets the difference from the time.
  package func move(bySeconds seconds: Int) throws {
    difference.withLock { $0 = seconds }
    let path = "\(folder.path)/offset"
    let bytes = unsafe withUnsafeBytes(of: Int64(seconds)) { unsafe Data($0) }
    guard FileManager.default.fileExists(atPath: path) else {
      return try bytes.write(to: URL(fileURLWithPath: path))
    }
    // Processes see the file that they have opened.
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try file.write(contentsOf: bytes)
    try file.close()
  }

  /// Moves the clock forward, or puts it back.
  package func advance(bySeconds seconds: Int) throws {
    try move(bySeconds: difference.withLock { $0 } + seconds)
  }

  private static let source = """
    #define _GNU_SOURCE
    #include <fcntl.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <sys/mman.h>
    #include <sys/syscall.h>
    #include <sys/time.h>
    #include <time.h>
    #include <unistd.h>

    static const volatile int64_t *offset;

    __attribute__((constructor)) static void begin(void) {
      const char *path = getenv("CLOCK_OFFSET_FILE");
      int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
      if (file < 0) return;
      void *shared = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
      if (shared != MAP_FAILED) offset = shared;
      close(file);
    }

    int clock_gettime(clockid_t clock, struct timespec *now) {
      long result = syscall(SYS_clock_gettime, clock, now);
      if (result == 0 && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += *offset;
      return (int)result;
    }

    int gettimeofday(struct timeval *restrict now, void *restrict zone) {
      struct timespec time;
      (void)zone;
      if (clock_gettime(CLOCK_REALTIME, &time) != 0) return -1;
      now->tv_sec = time.tv_sec;
      now->tv_usec = time.tv_nsec / 1000;
      return 0;
    }

    time_t time(time_t *result) {
      struct timespec now;
      clock_gettime(CLOCK_REALTIME, &now);
      if (result) *result = now.tv_sec;
      return now.tv_sec;
    }
    """
}
