extension Fields {
  /// The names of fields that are for one connection only (RFC 9110, 7.6.1), and of the length,
  /// which is written anew.
  private static let hopByHop: [FieldName] = [
    .connection, .contentLength, .transferEncoding, FieldName("Keep-Alive"),
    FieldName("Proxy-Connection"), FieldName("Proxy-Authenticate"),
    FieldName("Proxy-Authorization"), FieldName("TE"), FieldName("Trailer"), FieldName("Upgrade"),
  ]
  private static let hopByHopMarks = hopByHop.reduce(0) { $0 | $1.mark }

  /// Returns the indices of the fields that are passed on to the other side of a forwarding server.
  ///
  /// Fields that `Connection` names are left out, too.
  ///
  /// - Parameter others: The names of further fields to leave out.
  /// - Returns: The indices, in order.
  func endToEnd(leavingOut others: [FieldName] = []) -> [Int] {
    let options = contains(.connection) ? combinedValue(.connection).map(Self.names) ?? [] : []
    let marks = others.reduce(Self.hopByHopMarks) { $0 | $1.mark }
    return (0..<count).filter { index in
      let name = name(at: index)
      guard let first = name.first else { return false }
      if options.contains(where: { equalIgnoringCase($0, name) }) { return false }
      guard marks & FieldName.mark(ofLength: name.count, from: first) != 0 else { return true }
      return !Self.hopByHop.contains { $0.names(name) } && !others.contains { $0.names(name) }
    }
  }

  /// Returns the elements of a value of `Connection`.
  private static func names(_ value: [UInt8]) -> [ArraySlice<UInt8>] {
    var names: [ArraySlice<UInt8>] = []
    forEachListElement(of: value[...]) { names.append($0) }
    return names
  }

  /// A list of the fields that are passed on, to be sent with another response.
  package var passedOn: Fields {
    var fields = Fields()
    for index in endToEnd() { fields.append(name: name(at: index), value: value(at: index)) }
    return fields
  }
}
