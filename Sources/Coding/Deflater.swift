internal import CZlib

/// The system's deflate (RFC 1951), each use of which begins anew.
///
/// All of zlib that is called, and all that is unsafe about it, stands here.
@safe struct Deflater: ~Copyable {
  /// Where it stays, for zlib's own state points back to it.
  private let stream: UnsafeMutablePointer<z_stream>

  /// A deflater of a level in 1...9.
  ///
  /// A window of 32 KB and a table of 64 K places, as zlib has them by default; without the frame
  /// that zlib would write.
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

  /// The most bytes that so many become.
  mutating func bound(of count: Int) -> Int {
    // What flushes it comes on top.
    Int(unsafe deflateBound(stream, UInt(count))) + 16
  }

  /// Deflates bytes.
  ///
  /// - Parameters:
  ///   - input: The bytes.
  ///   - before: What the reader has read last, which the output may refer to.
  ///   - output: Where they go, with room for as many as ``bound(of:)`` says.
  ///   - isLast: Whether to end what can be read; if not, it ends between two bytes, all of it
  ///     readable.
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

  /// Has zlib take all of the source, and adds to the count what became of it.
  ///
  /// zlib counts in 32 bits, so that what is longer is given to it in parts.
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

  /// A checksum (CRC-32; RFC 1952, 8) with some bytes added; that of none is 0.
  static func checksum(_ checksum: UInt, adding bytes: Span<UInt8>) -> UInt {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard !buffer.isEmpty else { return checksum }
      return unsafe crc32_z(checksum, buffer.baseAddress, buffer.count)
    }
  }
}
