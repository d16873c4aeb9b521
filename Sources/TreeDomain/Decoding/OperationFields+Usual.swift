import JSON

extension OperationFields {
  /// Reads `op`, `key`, `parent` and `object`, or a place before it, or `merge`, in this order.
  @inline(__always)
  mutating func takeUsual(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    depth: Int,
    _ limits: DecodingLimits
  ) {
    guard
      takeNext(.op, #""op":"#, &quick, text, depth: depth, limits),
      takeNext(.key, #","key":"#, &quick, text, depth: depth, limits),
      takeNext(.parent, #","parent":"#, &quick, text, depth: depth, limits),
      takeNext(.object, #","object":"#, &quick, text, depth: depth, limits),
      !quick.isBefore(UInt8(ascii: "}"), text)
    else { return }
    _ =
      takeNext(.index, #","index":"#, &quick, text, depth: depth, limits)
      && takeNext(.first, #","first":"#, &quick, text, depth: depth, limits)
      && takeNext(.after, #","after":"#, &quick, text, depth: depth, limits)
      && !seen.contains(OperationField.object.position)
      && takeNext(.object, #","object":"#, &quick, text, depth: depth, limits)
      && takeNext(.merge, #","merge":"#, &quick, text, depth: depth, limits)
  }
}
