extension View {
  /// Recomputes everything that the view stores and compares it.
  ///
  /// For tests.
  ///
  /// - Complexity: O(*n* log *n*).
  func checkInvariants(in forest: borrowing Forest<Width>, _ indexes: borrowing LevelIndexes<Width>)
  {
    marks.checkInvariants(of: root)
    precondition(marks.summary(of: root).count == forest.entryCount - 1, "gaps lost entries")
    var seen = 0
    var next: Marks.Cursor? = marks.cursor(ofOwner: 0)
    while let cursor = next {
      let mark = marks.item(cursor)
      let start = cursor.prefix.count + 1
      let cover = cover(from: start, to: start + mark.gap, in: forest, indexes)
      precondition(mark.cover == cover, "a gap is stale")
      if mark.owner > 0 {
        check(mark, at: cursor.prefix.count, in: forest)
        seen += 1
      }
      next = marks.next(cursor)
    }
    precondition(seen == 2 * toggles.count, "marks and toggles differ")
  }

  private func check(_ mark: Mark, at boundary: Int32, in forest: borrowing Forest<Width>) {
    let node = node(ofToggle: mark.toggle)
    precondition(toggles[node] == Int32(mark.toggle), "a mark belongs to no toggle")
    let place = forest.place(of: node)
    let expected = mark.isEnd ? forest.subtreeEnd(place) - 1 : place.position
    precondition(boundary == expected, "a mark is not where its node is")
    let step: Int32 = rule.expands(atDepth: place.depth) ? 1 : -1
    precondition(mark.step == (mark.isEnd ? -step : step), "a mark steps the wrong way")
  }
}
