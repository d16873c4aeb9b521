/// A copy of a tree, for one thread to read from and to try changes on.
///
/// Others may make copies of it at the same time, as long as nobody changes it.
final class TreeCopy {
  var manager: TreeManager

  init(_ manager: consuming TreeManager) { self.manager = manager }

  deinit { manager.uncountCopy() }
}

// Nobody else refers to what a copy consists of. It is handed from thread to thread. A published
// one is only read: copies of it are made, which share what is copied at the first write.
extension TreeCopy: @unchecked Sendable {}
