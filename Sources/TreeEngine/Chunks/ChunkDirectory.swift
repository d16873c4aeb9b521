/// The memory of a ``ChunkedArray``: where its chunks are, and whose they are.
///
/// While the elements are few, they lie behind the one slot there is, in the same object: a short
/// array takes one allocation. Then each chunk is a block of memory of its own, which several
/// directories may share.
@safe
final class ChunkDirectory: ManagedBuffer<ChunkDirectoryHeader, ChunkSlot> {
  deinit {
    unsafe withUnsafeMutablePointers { header, slots in
      _ = unsafe slots.deinitialize(count: header.pointee.count)
    }
  }
}

/// What a ``ChunkDirectory`` knows of itself.
struct ChunkDirectoryHeader {
  /// Slots in use.
  fileprivate(set) var count: Int
  /// Slots there are.
  fileprivate let room: Int
  /// Elements there is room for.
  fileprivate var capacity: Int
  /// Those of the next chunks.
  fileprivate var spareOwners: [ChunkOwner] = []
}

/// Where a chunk is, and who keeps it; nobody does while it is a part of the directory.
@safe
struct ChunkSlot {
  var start: UnsafeMutableRawPointer
  var owner: ChunkOwner?
}

/// Keeps a block of memory for as long as somebody holds on to it.
///
/// Apart from the block, and made several at a time, so that they lie side by side: whether a chunk
/// is shared is asked at each write, and costs no look at memory that no cache holds.
@safe
final class ChunkOwner {
  fileprivate var block: UnsafeMutableRawPointer?

  fileprivate init() { unsafe block = nil }

  deinit { unsafe block?.deallocate() }
}

extension ChunkDirectory {
  private static var ownersAtOnce: Int { 32 }

  private static func make(room: Int, capacity: Int, extra: Int = 0) -> ChunkDirectory {
    let made = create(minimumCapacity: room + extra) { _ in
      ChunkDirectoryHeader(count: 0, room: room, capacity: capacity)
    }
    return unsafe unsafeDowncast(made, to: ChunkDirectory.self)
  }

  /// A directory whose elements lie in it.
  static func small(capacity: Int, stride: Int) -> ChunkDirectory {
    let slotBytes = MemoryLayout<ChunkSlot>.stride
    let extra = (capacity * stride + slotBytes - 1) / slotBytes
    let directory = make(room: 1, capacity: extra * slotBytes / stride, extra: extra)
    unsafe directory.withUnsafeMutablePointers { header, slots in
      let start = unsafe UnsafeMutableRawPointer(slots + 1)
      unsafe slots.initialize(to: ChunkSlot(start: start, owner: nil))
      unsafe header.pointee.count = 1
    }
    return directory
  }

  /// Whether the elements lie in it.
  var isSmall: Bool {
    unsafe withUnsafeMutablePointers { header, slots in
      unsafe header.pointee.count == 1 && slots.pointee.owner == nil
    }
  }

  /// The same elements, so many bytes, in a directory of their own with room for as many or more.
  func copy(bytes: Int, capacity: Int, stride: Int) -> ChunkDirectory {
    let copy = ChunkDirectory.small(capacity: capacity, stride: stride)
    unsafe withUnsafeMutablePointerToElements { old in
      unsafe copy.withUnsafeMutablePointerToElements { new in
        unsafe new.pointee.start.copyMemory(from: old.pointee.start, byteCount: bytes)
      }
    }
    return copy
  }

  /// The same elements, so many bytes, as the first chunk of many.
  func divided(bytes: Int, capacity: Int, stride: Int) -> ChunkDirectory {
    let many = ChunkDirectory.make(room: 4, capacity: 0)
    many.addChunk(capacity: capacity, stride: stride)
    unsafe withUnsafeMutablePointerToElements { old in
      unsafe many.withUnsafeMutablePointerToElements { new in
        unsafe new.pointee.start.copyMemory(from: old.pointee.start, byteCount: bytes)
      }
    }
    return many
  }

  /// The same chunks, shared, with room for as many more.
  func shared() -> ChunkDirectory {
    unsafe withUnsafeMutablePointers { header, slots in
      let count = unsafe header.pointee.count
      let copy = unsafe ChunkDirectory.make(room: 2 * count, capacity: header.pointee.capacity)
      unsafe copy.withUnsafeMutablePointers { newHeader, newSlots in
        unsafe newSlots.initialize(from: slots, count: count)
        unsafe newHeader.pointee.count = count
      }
      return copy
    }
  }

  /// How many elements there is room for.
  ///
  /// Asked at each append: read through the object, each access would be looked up among those
  /// under way.
  var elementCapacity: Int {
    unsafe withUnsafeMutablePointerToHeader { header in unsafe header.pointee.capacity }
  }

  /// Whether there is a slot for one more chunk.
  var hasSlot: Bool { header.count < header.room }

  func addChunk(capacity: Int, stride: Int) {
    let owner = takeOwner()
    unsafe withUnsafeMutablePointers { header, slots in
      let block = unsafe ChunkDirectory.makeBlock(bytes: capacity * stride)
      unsafe owner.block = block
      let slot = unsafe slots + header.pointee.count
      unsafe slot.initialize(to: ChunkSlot(start: block, owner: owner))
      unsafe header.pointee.count += 1
      unsafe header.pointee.capacity += capacity
    }
  }

  /// Puts a copy of a chunk that is shared in its place.
  func replaceChunk(_ index: Int, bytes: Int) {
    let owner = takeOwner()
    unsafe withUnsafeMutablePointerToElements { slots in
      let block = unsafe ChunkDirectory.makeBlock(bytes: bytes)
      unsafe block.copyMemory(from: slots[index].start, byteCount: bytes)
      unsafe owner.block = block
      unsafe slots[index] = ChunkSlot(start: block, owner: owner)
    }
  }

  private static func makeBlock(bytes: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
  }

  private func takeOwner() -> ChunkOwner {
    if header.spareOwners.isEmpty {
      header.spareOwners = (0..<Self.ownersAtOnce).map { _ in ChunkOwner() }
    }
    return header.spareOwners.removeLast()
  }
}
