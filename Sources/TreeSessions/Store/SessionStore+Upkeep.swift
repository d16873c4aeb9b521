import Synchronization
package import TreeDomain

// Upkeep, which no client waits for.
extension SessionStore {
  /// The interval of maintenance in seconds.
  ///
  /// The stored time of a session's last use may be behind by as much.
  package static let maintenanceSeconds = 5

  /// Runs maintenance.
  ///
  /// Must be called every ``maintenanceSeconds``.
  ///
  /// Ends expired sessions, puts idle sessions to sleep, and removes idle trees from memory.
  /// Forgets old answers for retries, stores the last uses of sessions, and removes unused data
  /// from storage.
  package func runMaintenance() { StoreMaintenance(core: core).run() }

  /// The maximum age of the stored reading of the clocks in seconds.
  ///
  /// If there are trees or sessions, a new reading is stored after an hour, within a minute.
  package static let maxReadingAge = 3_600 + 60

  /// The readiness of the service: ready if changes can be stored and no stop was announced.
  ///
  /// Checks failed storage again, at most once a second.
  package var readiness: Readiness {
    guard !core.table.withLock(\.isDraining) else { return .unready(.shuttingDown) }
    do throws(ServiceError) {
      try core.archive?.queue.admit()
      return .ready
    } catch {
      return .unready(error.code)
    }
  }

  /// Statistics of the service, in memory and on the way to storage.
  package var statistics: ServiceStatistics {
    var statistics = core.table.withLock { $0.statistics }
    statistics.loadedTrees = core.usage.trees
    statistics.loadedNodes = core.usage.nodes
    statistics.loadedBytes = core.usage.bytes
    statistics.memory = core.usage.memory.bytes
    statistics.treeWaits = core.means.meter.waits
    statistics.followerResets = core.means.meter.resets
    statistics.journal = core.archive?.queue.statistics
    return statistics
  }

  /// Reads every stored tree, one at a time.
  ///
  /// - Returns: Counts and findings.
  /// - Throws: ``StorageError`` if the storage cannot be read at all.
  /// - Complexity: O(bytes stored), with the memory of the largest tree.
  package func verify() throws(StorageError) -> StoreVerification {
    var verification = StoreVerification()
    if let archive = core.archive { try verification.readAll(archive, core) }
    return verification
  }
}

// Closing a store while the process continues, and the stop of the process.
extension SessionStore {
  /// True if no change waits to be written; always true without storage.
  package var isWritten: Bool { core.archive?.queue.isEmpty ?? true }

  /// Interrupts all followers, so that their readers have to reconnect.
  ///
  /// No further followers are added. Must be called after the last request has arrived.
  package func close() {
    core.isClosed.store(true, ordering: .releasing)
    core.visitTable {
      $0.treesInMemory(inPart: $1)
    } _: {
      $0.interruptFollowers()
    }
  }

  /// The numbers of shared trees, sessions and followers.
  ///
  /// - Complexity: O(1).
  package var counts: (trees: Int, sessions: Int, followers: Int) {
    core.table.withLock { ($0.trees.count, $0.sessionCount, $0.followers) }
  }

  /// Makes ``readiness`` report the coming stop.
  ///
  /// Requests are still answered.
  package func drain() { core.table.withLock { $0.isDraining = true } }

  /// Stores the last uses of sessions, and the reading of the clocks.
  ///
  /// Must be called after the last request is answered.
  package func stop() { StoreMaintenance(core: core).stop() }
}

extension LockedTree {
  /// Interrupts all followers of the tree.
  fileprivate func interruptFollowers() {
    look { tree in
      for session in tree.sessions.withFollowers {
        for follower in session.followers { follower.interrupt() }
      }
    }
    failArrivals(.storeClosed)
  }
}

// Dropping unused data while memory is tight.
extension SessionStore {
  /// True if unused data should be dropped to free memory.
  ///
  /// - Complexity: O(1).
  package var isMemoryTight: Bool { core.usage.memory.isTight }

  /// Drops unused data, the least recently used first, until memory is no longer tight.
  ///
  /// Stored trees leave memory, and sessions of other trees fall asleep. Must be called often. Does
  /// nothing while there is enough memory.
  ///
  /// - Complexity: O(*t* log *t*) for *t* trees, and the dropped data, on workers.
  package func relieveMemory() { core.relief.run(core) }
}

// Group commit: changes that are written together.
extension SessionStore {
  /// Begins a group of changes that should be written in one commit.
  package func beginGroup() { core.archive?.queue.beginGroup() }

  /// Ends the group, so that its commit can begin.
  package func endGroup() { core.archive?.queue.endGroup() }
}
