internal import HTTPServer
internal import TreeDomain
internal import TreeStorage

extension Configuration {
  /// Copies all that is stored to the storage of another configuration.
  ///
  /// Both belong to this process meanwhile, so that no service writes to them.
  ///
  /// - Returns: The exit status: 1 if something went wrong.
  func copyStorage(to target: Configuration) -> Int32 {
    do throws(StorageError) {
      if storage == "sqlite" {
        guard try SQLiteStorage.isThere(in: data) else {
          say("\(storagePlace): nothing is stored here yet")
          return 1
        }
      }
      let source = try openWhole()
      let other: any TreeStorage
      do throws(StorageError) { other = try target.openWhole() } catch {
        say("cannot use \(target.storagePlace): \(error.reason)")
        return 1
      }
      let copy = try StorageCopy.make(from: source, to: other)
      (other as? SQLiteStorage)?.close()
      say("copied to \(target.storagePlace): \(copy.trees) trees, \(copy.sessions) sessions")
      return 0
    } catch {
      say(
        """
        the copy from \(storagePlace) to \(target.storagePlace) is not complete: \(error.reason); \
        begin with an empty target
        """
      )
      return 1
    }
  }

  /// Opens the storage, to which nobody else writes then.
  private func openWhole() throws(StorageError) -> any TreeStorage {
    if let database = try openDatabase() { return database }
    return try SQLiteStorage(folder: data)
  }
}
