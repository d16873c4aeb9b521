/// Percent-encodes a path segment, except for `unreserved` characters (RFC 3986, 2.3).
func percentEncoded(_ segment: [UInt8]) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  for byte in segment {
    if isUnreserved(byte) {
      encoded.append(byte)
    } else {
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return encoded
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "a")...UInt8(ascii: "z"):
    true
  default: "-._~".utf8.contains(byte)
  }
}
