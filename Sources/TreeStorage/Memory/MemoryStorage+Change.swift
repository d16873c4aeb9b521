import TreeDomain

// Applying one change.
extension MemoryStorage.Contents {
  mutating func make(_ change: StorageChange) throws(StorageError) {
    switch change {
    case .makeTree(let tree):
      guard trees[tree.number] == nil, !trees.values.contains(where: { $0.stored.id == tree.id })
      else { throw .refused("there is such a tree already") }
      trees[tree.number] = MemoryStorage.Tree(stored: tree)
      nextNumber = max(nextNumber, tree.number.next)
    case .describeTree(let number, let about): trees[number]?.stored.about = about
    case .deleteTree(let number): delete(number)
    case .retire(let new):
      if retired[new.slot].map({ $0.revision < new.revision }) ?? true { retired[new.slot] = new }
    case .append(let entry, let number):
      guard trees[number]?.entries[entry.number] == nil else {
        throw .refused("there is such an entry already")
      }
      let bound = generations.bound(entry: entry.number, revision: entry.revision)
      highest = max(highest, bound)
      trees[number]?.entries[entry.number] = entry
      trees[number]?.lastEntry = entry.number
    case .addPart(let bytes, let index, let snapshot):
      if index == 0 { trees[snapshot.tree]?.unfinished = MemoryStorage.Snapshot(stored: snapshot) }
      trees[snapshot.tree]?.unfinished?.parts.append(bytes)
    case .finishSnapshot(let snapshot): finish(snapshot)
    case .makeSession(let session):
      guard sessions[session.id] == nil else { throw .refused("there is such a session already") }
      sessions[session.id] = session
    case .renewSession(let id, let lastUse, let seconds):
      sessions[id]?.lastUse = lastUse
      if let seconds { sessions[id]?.idleTimeoutSeconds = seconds }
    case .removeSession(let id, true): expire(id)
    case .removeSession(let id, false): sessions[id] = nil
    case .keepCreation(let creation):
      creations.removeAll { $0.time < creation.forgotten || $0.token == creation.token }
      var creation = creation
      creation.forgotten = 0
      creations.append(creation)
    case .setClock(let reading): clockReading = reading
    }
  }

  private mutating func delete(_ number: TreeNumber) {
    trees[number] = nil
    sessions = sessions.filter { $0.value.tree != number || $0.value.isExpired }
  }

  private mutating func finish(_ snapshot: StoredSnapshot) {
    guard var tree = trees[snapshot.tree], var whole = tree.unfinished else { return }
    whole.stored = snapshot
    tree.snapshot = whole
    tree.unfinished = nil
    tree.entries = tree.entries.filter { $0.key > snapshot.entry }
    trees[snapshot.tree] = tree
  }

  private mutating func expire(_ id: SessionID) {
    guard let session = sessions[id] else { return }
    sessions[id]?.isExpired = true
    let time = session.end - StoredSession.rememberedSeconds
    sessions = sessions.filter { !$0.value.isExpired || $0.value.end >= time }
  }
}
