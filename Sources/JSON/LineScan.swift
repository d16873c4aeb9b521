/// Finds the ends of lines in newline-delimited JSON, in which no value contains a line feed.
public enum LineScan {
  /// Returns the offset of the first line feed at or after `start`, or `nil` if there is none.
  ///
  /// - Complexity: O(length of the line), eight bytes at a time.
  public static func end(of text: Span<UInt8>, from start: Int) -> Int? {
    let offset = Scan.first(Ascii.newline, in: text, from: start)
    return offset < text.count ? offset : nil
  }
}
