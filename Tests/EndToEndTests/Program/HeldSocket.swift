import Foundation
import Glibc

/// A listening socket that outlives the programs that inherit it.
final class HeldSocket {
  /// The port.
  let port: UInt16
  /// The socket, for a program that inherits it.
  let handle: FileHandle

  /// Listens on a free port of this machine.
  init() throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic -> Int32 in
        guard unsafe bind(descriptor, generic, length) == 0 else { return -1 }
        guard listen(descriptor, 1_024) == 0 else { return -1 }
        return unsafe getsockname(descriptor, generic, &length)
      }
    }
    guard result == 0 else { throw WireError("no listening socket: errno \(errno)") }
    port = UInt16(bigEndian: address.sin_port)
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}
