import Synchronization

/// The copies of a tree for small reads during a large write.
final class TreeCopies: Sendable {
  private struct Contents {
    var published: TreeCopy?
    /// Withdrawn copies, which readers may still use.
    var withdrawn: [TreeCopy] = []
  }

  /// The lock is held briefly, and no other lock is taken under it.
  private let contents = Mutex(Contents())

  /// The copy to read; `nil` if none is published.
  var published: TreeCopy? { contents.withLock { $0.published } }

  /// Publishes a copy, so that reads are answered from it.
  func publish(_ copy: TreeCopy) {
    contents.withLock { contents in
      if let former = contents.published { contents.withdrawn.append(former) }
      contents.published = copy
    }
  }

  /// Withdraws the copy, so that no read begins on it.
  ///
  /// Called before others learn of the change.
  ///
  /// - Returns: True if there are copies to free.
  @discardableResult
  func withdraw() -> Bool {
    contents.withLock { contents in
      if let copy = contents.published.take() { contents.withdrawn.append(copy) }
      return !contents.withdrawn.isEmpty
    }
  }

  /// Frees the copies that were withdrawn, which may take long.
  func dispose() {
    let copies = contents.withLock { contents in
      defer { contents.withdrawn = [] }
      return contents.withdrawn
    }
    withExtendedLifetime(copies) {}
  }
}

/// A copy of a tree, on which one thread at a time reads or tries changes.
///
/// Several threads may make copies of it at the same time while none changes it.
final class TreeCopy {
  /// The copied tree.
  var manager: TreeManager

  init(_ manager: consuming TreeManager) { self.manager = manager }

  deinit { manager.uncountCopy() }
}

// A copy shares no mutable object with others. It is passed from thread to thread. A published copy
// is only read: readers make copies of it, which copy shared memory on the first write.
extension TreeCopy: @unchecked Sendable {}
