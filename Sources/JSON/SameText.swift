/// Returns true if two JSON texts differ at most in the white space between their tokens.
///
/// - Precondition: Both are valid JSON.
/// - Complexity: O(*n*).
func isSameText(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  var (i, j) = (0, 0)
  var isInString = false
  while true {
    if !isInString {
      while i < left.count, isWhiteSpace(left[i]) { i += 1 }
      while j < right.count, isWhiteSpace(right[j]) { j += 1 }
    }
    guard i < left.count, j < right.count else { return i == left.count && j == right.count }
    guard left[i] == right[j] else { return false }
    if isInString, left[i] == Ascii.backslash {
      // An escaped quote does not end the string.
      guard i + 1 < left.count, j + 1 < right.count, left[i + 1] == right[j + 1] else {
        return false
      }
      (i, j) = (i + 1, j + 1)
    } else if left[i] == Ascii.quote {
      isInString.toggle()
    }
    (i, j) = (i + 1, j + 1)
  }
}

private func isWhiteSpace(_ byte: UInt8) -> Bool {
  byte == Ascii.space || byte == Ascii.newline || byte == Ascii.tab
    || byte == Ascii.carriageReturn
}
