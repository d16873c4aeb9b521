import JSON

extension OperationFields {
  /// Reads `op`, `key`, the place and what the node is to hold, mostly in this order.
  @inline(__always)
  mutating func takeUsual(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    depth: Int,
    _ limits: DecodingLimits
  ) {
    _ =
      takeNext(.op, #""op":"#, &quick, text, depth: depth, limits)
      && takeNext(.key, #","key":"#, &quick, text, depth: depth, limits)
      && takeNext(.parent, #","parent":"#, &quick, text, depth: depth, limits)
      && takeNext(.index, #","index":"#, &quick, text, depth: depth, limits)
      && takeNext(.object, #","object":"#, &quick, text, depth: depth, limits)
      && takeNext(.merge, #","merge":"#, &quick, text, depth: depth, limits)
  }
}
