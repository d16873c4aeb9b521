import CLinux
import Glibc

/// Resident memory of this process, as the kernel counts it, free memory that the allocator kept
/// included; 0 where the kernel does not tell.
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

/// Bytes that the allocator has given out and not got back: what resident memory says where holes
/// are used again.
func allocatedBytes() -> Int {
  let info = mallinfo2()
  return Int(info.uordblks) + Int(info.hblkhd)
}
