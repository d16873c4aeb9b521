/// A copy of a tree, on which one thread at a time reads or tries changes.
///
/// Several threads may make copies of it at the same time while none changes it.
final class TreeCopy {
  var manager: TreeManager

  init(_ manager: consuming TreeManager) { self.manager = manager }

  deinit { manager.uncountCopy() }
}

// A copy shares no mutable object with others. It is passed from thread to thread. A published copy
// is only read: readers make copies of it, which copy shared memory on the first write.
extension TreeCopy: @unchecked Sendable {}
