import Glibc

/// Bytes at the very end of readable memory: whoever reads the one behind the last is ended by the
/// system.
///
/// They are the end of an array, whose bounds are checked as usual; what is guarded against is the
/// code that goes around the checks, as reading eight bytes at once does.
package final class GuardedBytes {
  /// What was given, after so much white space that it ends where the memory does.
  package private(set) var storage: [UInt8] = []
  /// Where the bytes begin in the storage.
  package let start: Int
  /// The address of the page behind them.
  private let guardPage: UInt
  private static let pageBytes = Int(sysconf(Int32(_SC_PAGESIZE)))

  /// Places the bytes.
  ///
  /// - Parameters:
  ///   - bytes: What is to be at the end.
  ///   - padding: What stands before them, over and over.
  package init(_ bytes: some Collection<UInt8>, padding: [UInt8] = [0x20]) {
    let page = Self.pageBytes
    // A page before for the padding, and behind one that lies in the storage wholly.
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

  /// Reads the byte behind the last, which ends the process.
  package func readBeyond() -> UInt8? {
    unsafe UnsafeRawPointer(bitPattern: guardPage)?.load(as: UInt8.self)
  }
}
