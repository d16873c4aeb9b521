internal import HTTPServer
internal import TreeDomain
internal import TreeStorage

/// Copies all data that one configuration stores to the storage of another one.
///
/// This process owns both during the copy, so that no service writes to them.
///
/// - Returns: The exit status: 0 on success, otherwise 1.
func copyStorage(of configuration: Configuration, to target: Configuration) -> Int32 {
  do throws(StorageError) {
    if configuration.storage == "sqlite" {
      guard try SQLiteStorage.isThere(in: configuration.data) else {
        say("\(configuration.storagePlace): nothing is stored here yet")
        return 1
      }
    }
    let source = try WholeStorage(configuration)
    defer { source.close() }
    let other: WholeStorage
    do throws(StorageError) { other = try WholeStorage(target) } catch {
      say("cannot use \(target.storagePlace): \(error.reason)")
      return 1
    }
    defer { other.close() }
    let copy = try StorageCopy.make(from: source.storages, to: other.storages)
    try other.cluster?.move(copy.moved)
    say("copied to \(target.storagePlace): \(copy.trees) trees, \(copy.sessions) sessions")
    return 0
  } catch {
    say(
      """
      the copy from \(configuration.storagePlace) to \(target.storagePlace) is not complete: \
      \(error.reason); begin with an empty target
      """
    )
    return 1
  }
}

/// A complete storage, which this process owns, so that no other one writes to it.
private struct WholeStorage {
  /// The registered instance, if the storage is a database.
  let cluster: PostgreSQLCluster?
  private let file: SQLiteStorage?
  private let slots: [PostgreSQLStorage]

  /// Opens the storage.
  ///
  /// - Throws: ``StorageError`` if another process owns it, or it cannot be used.
  init(_ configuration: Configuration) throws(StorageError) {
    guard configuration.isDatabase else {
      file = try SQLiteStorage(folder: configuration.data)
      (cluster, slots) = (nil, [])
      return
    }
    let entered = try PostgreSQLCluster(uri: configuration.storage)
    // The lease must be extended during a long copy.
    try entered.start(hear: { _ in }, lose: {})
    do throws(StorageError) {
      var slots: [PostgreSQLStorage] = []
      for slot in 0..<entered.slots.count {
        guard let storage = try entered.acquire(slot) else {
          throw .failed("another instance has taken over")
        }
        slots.append(storage)
      }
      self.slots = slots
    } catch {
      entered.close()
      throw error
    }
    (cluster, file) = (entered, nil)
  }

  /// The storage of each slot, or the only one.
  var storages: [any TreeStorage] { file.map { [$0] } ?? slots }

  /// Closes the storage, so that other processes can use it.
  func close() {
    for storage in slots { storage.close() }
    cluster?.close()
    file?.close()
  }
}
