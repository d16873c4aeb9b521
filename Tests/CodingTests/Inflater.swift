import CZlib

/// A streaming decoder of one gzip member, backed by zlib.
@safe struct Inflater: ~Copyable {
  private let stream: UnsafeMutablePointer<z_stream>
  /// True if the end of the content was read and its checksum and length were right.
  private(set) var isComplete = false

  init() {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    let code = unsafe inflateInit2_(
      stream,
      16 + MAX_WBITS,
      ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size)
    )
    precondition(code == Z_OK)
  }

  deinit {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }

  /// Returns the content that the bytes complete, or nil if they are not valid gzip.
  mutating func read(_ bytes: [UInt8]) -> [UInt8]? {
    var read: [UInt8] = []
    var input = bytes
    var output = [UInt8](repeating: 0, count: 4_096)
    return unsafe input.withUnsafeMutableBufferPointer { input -> [UInt8]? in
      unsafe stream.pointee.next_in = input.baseAddress
      unsafe stream.pointee.avail_in = UInt32(input.count)
      while true {
        let (code, count) = unsafe output.withUnsafeMutableBufferPointer { room in
          unsafe stream.pointee.next_out = room.baseAddress
          unsafe stream.pointee.avail_out = UInt32(room.count)
          let code = unsafe inflate(stream, Z_NO_FLUSH)
          return (code, room.count - Int(unsafe stream.pointee.avail_out))
        }
        read += output[..<count]
        if code == Z_STREAM_END {
          isComplete = true
          return unsafe stream.pointee.avail_in == 0 ? read : nil
        }
        if code == Z_BUF_ERROR || count < output.count {
          return code == Z_OK || code == Z_BUF_ERROR ? read : nil
        }
        if code != Z_OK { return nil }
      }
    }
  }
}
