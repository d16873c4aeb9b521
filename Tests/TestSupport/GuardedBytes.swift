import Glibc

/// Bytes at the very end of readable memory. A read past the end ends the process.
///
/// The bytes are the end of an array, whose bounds are checked as usual. The guard finds code that
/// bypasses the checks, such as reads of eight bytes at once.
package final class GuardedBytes {
  /// The bytes, after padding that moves their end to the end of readable memory.
  package private(set) var storage: [UInt8] = []
  /// The index of the first byte in the storage.
  package let start: Int
  /// The address of the page behind the bytes.
  private let guardPage: UInt
  private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Places the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes at the end.
  ///   - padding: The bytes before them, repeated.
  package init(_ bytes: some Collection<UInt8>, padding: [UInt8] = [0x20]) {
    let page = Self.pageBytes
    // Reserves a page for the padding, and space for a whole page behind the bytes.
    storage.reserveCapacity(bytes.count + 4 * page)
    let address = unsafe storage.withUnsafeMutableBytes { UInt(bitPattern: $0.baseAddress) }
    let least = Int(address % UInt(page)) + bytes.count + padding.count
    let end = (least + page - 1) / page * page - Int(address % UInt(page))
    let rest = (end - bytes.count) % padding.count
    storage.append(contentsOf: repeatElement(padding[0], count: rest))
    while storage.count < end - bytes.count { storage.append(contentsOf: padding) }
    start = storage.count
    storage.append(contentsOf: bytes)
    guardPage = address + UInt(end)
    protect(PROT_NONE)
  }

  deinit { protect(PROT_READ | PROT_WRITE) }

  private func protect(_ protection: Int32) {
    let page = unsafe UnsafeMutableRawPointer(bitPattern: guardPage)
    let result = unsafe mprotect(page, Self.pageBytes, protection)
    precondition(result == 0, "memory cannot be protected")
  }

  /// Reads the byte behind the last one, which ends the process.
  package func readBeyond() -> UInt8? {
    unsafe UnsafeRawPointer(bitPattern: guardPage)?.load(as: UInt8.self)
  }
}
