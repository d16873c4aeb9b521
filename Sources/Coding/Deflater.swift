internal import CZlib

/// A raw deflate compressor (RFC 1951), backed by the system's zlib.
///
/// Each call of ``deflate(_:after:into:isLast:)`` starts from a reset state. All calls into zlib,
/// and all unsafe code that they need, are in this file.
@safe struct Deflater: ~Copyable {
  /// The zlib state.
  ///
  /// Its address must not change, because zlib's internal state points back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// Creates a compressor.
  ///
  /// Uses zlib's default window (32 KiB) and memory level (8). The output has no zlib header or
  /// trailer.
  ///
  /// - Precondition: `level` is in 1...9, and zlib can allocate its state.
  init(level: Int) {
    precondition(1...9 ~= level, "zlib has levels from 1 to 9")
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe deflateInit2_(
      stream,
      Int32(level),
      Z_DEFLATED,
      -MAX_WBITS,
      8,
      Z_DEFAULT_STRATEGY,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(code == Z_OK, "there is memory for zlib")
  }

  deinit {
    unsafe deflateEnd(stream)
    unsafe stream.deinitialize(count: 1)
    unsafe stream.deallocate()
  }

  /// Returns an upper bound for the output of ``deflate(_:after:into:isLast:)``, in bytes.
  mutating func bound(of count: Int) -> Int {
    // The marker that a sync flush writes is not part of zlib's bound.
    Int(unsafe deflateBound(stream, UInt(count))) + 16
  }

  /// Compresses bytes.
  ///
  /// - Parameters:
  ///   - input: The bytes to compress.
  ///   - before: The preceding bytes of the same content, used as a dictionary. It may be empty.
  ///   - output: The destination, with free capacity of at least ``bound(of:)`` bytes.
  ///   - isLast: True to end the deflate stream. Otherwise the output ends on a byte boundary, and
  ///     the receiver can decompress all of it.
  /// - Complexity: O(count of `input`).
  mutating func deflate(
    _ input: Span<UInt8>,
    after before: Span<UInt8>,
    into output: inout OutputSpan<UInt8>,
    isLast: Bool
  ) {
    unsafe deflateReset(stream)
    unsafe before.withUnsafeBufferPointer { buffer in
      guard !buffer.isEmpty else { return }
      unsafe deflateSetDictionary(stream, buffer.baseAddress, UInt32(buffer.count))
    }
    unsafe input.withUnsafeBufferPointer { source in
      unsafe output.withUnsafeMutableBufferPointer { target, count in
        unsafe run(source, into: target, &count, isLast ? Z_FINISH : Z_SYNC_FLUSH)
      }
    }
  }

  /// Passes the whole source to zlib and adds the number of bytes written to `count`.
  ///
  /// zlib's counters have 32 bits, so longer input is passed in parts.
  private mutating func run(
    _ source: UnsafeBufferPointer<UInt8>,
    into target: UnsafeMutableBufferPointer<UInt8>,
    _ count: inout Int,
    _ flush: Int32
  ) {
    var taken = 0
    repeat {
      let part = min(source.count - taken, Int(Int32.max))
      let room = min(target.count - count, Int(Int32.max))
      let isEnd = taken + part == source.count
      unsafe stream.pointee.next_in =
        UnsafeMutablePointer(mutating: source.baseAddress.map { unsafe $0 + taken })
      unsafe stream.pointee.avail_in = UInt32(part)
      unsafe stream.pointee.next_out = target.baseAddress.map { unsafe $0 + count }
      unsafe stream.pointee.avail_out = UInt32(room)
      _ = unsafe CZlib.deflate(stream, isEnd ? flush : Z_NO_FLUSH)
      taken += part - Int(unsafe stream.pointee.avail_in)
      count += room - Int(unsafe stream.pointee.avail_out)
      precondition(unsafe stream.pointee.avail_out > 0 || !isEnd, "the output has room for all")
    } while taken < source.count
  }

  /// Returns the checksum (CRC-32; RFC 1952, 8) after some more bytes; the checksum of no bytes is
  /// 0.
  static func checksum(_ checksum: UInt, adding bytes: Span<UInt8>) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard !buffer.isEmpty else { return checksum }
      return unsafe crc32_z(checksum, buffer.baseAddress, buffer.count)
    }
  }
}
