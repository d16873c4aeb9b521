extension Watcher {
  /// Writes the view; what it remembers of commits follows.
  func write(to writer: inout ByteWriter) {
    guard !view.isVacant else { return writer.append(false) }
    writer.append(true)
    view.write(to: &writer)
    writer.append(set: selected)
    writer.append(layering?.order == .breadthFirst)
    writer.append(aside != nil)
    if let aside {
      aside.write(to: &writer)
      let members = layering?.layer?.filter?.members ?? [:]
      writer.append(set: members.filter(\.value.isMatched).map(\.key))
    }
    writer.append(count: history.oldest)
    writer.append(count: history.log.count)
  }
}

extension View {
  func write(to writer: inout ByteWriter) {
    writer.append(rule)
    writer.append(set: toggles.keys)
  }
}
