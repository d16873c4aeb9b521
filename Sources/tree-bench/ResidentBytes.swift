import CLinux
import Glibc

/// Returns the resident memory of this process in bytes; 0 if the kernel does not report it.
///
/// Unused memory that the allocator keeps is included.
func residentBytes() -> Int {
  guard let file = unsafe fopen("/proc/self/statm", "r") else { return 0 }
  defer { unsafe fclose(file) }
  var line = [CChar](repeating: 0, count: 128)
  let count = Int32(line.count)
  guard unsafe fgets(&line, count, file) != nil else { return 0 }
  let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(getpagesize())
}

/// Returns the number of allocated bytes of this process.
///
/// It shows growth that resident memory hides because the allocator reuses free blocks.
func allocatedBytes() -> Int {
  let info = mallinfo2()
  return Int(info.uordblks) + Int(info.hblkhd)
}
