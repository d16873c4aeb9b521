import Synchronization

/// The copy of a tree that small reads are answered from while a large write holds the tree.
final class TreeCopies: Sendable {
  private struct Contents {
    var published: TreeCopy?
    /// Copies that were withdrawn, and that some reader may still read.
    var withdrawn: [TreeCopy] = []
  }

  /// Held for a look or a change; it is taken last.
  private let contents = Mutex(Contents())

  /// The copy; `nil` while no large write has begun.
  var published: TreeCopy? { contents.withLock { $0.published } }

  /// Has reads answered from a copy from now on.
  func publish(_ copy: TreeCopy) {
    contents.withLock { contents in
      if let former = contents.published { contents.withdrawn.append(former) }
      contents.published = copy
    }
  }

  /// Has no read begin on the copy any more, as what the write changed is about to be told.
  ///
  /// - Returns: True if there are copies to dispose of.
  @discardableResult
  func withdraw() -> Bool {
    contents.withLock { contents in
      if let copy = contents.published.take() { contents.withdrawn.append(copy) }
      return !contents.withdrawn.isEmpty
    }
  }

  /// Lets go of the copies that were withdrawn, which may take long.
  func dispose() {
    let copies = contents.withLock { contents in
      defer { contents.withdrawn = [] }
      return contents.withdrawn
    }
    withExtendedLifetime(copies) {}
  }
}
