import TreeDomain

extension Creation {
  /// What is to be stored of it, so that the request is answered alike after a restart.
  func kept(for key: IdempotencyKey?, at now: Int) -> [StorageChange] {
    // TODAY
    []
  }
}
