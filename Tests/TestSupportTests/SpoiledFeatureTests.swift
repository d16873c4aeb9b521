import TestSupport
import Testing

/// Tests that the differential run finds errors in sections, selections, filters and history.
struct SpoiledFeatureTests {
  @Test(arguments: SpoiledFeature.allCases)
  func `an error in a feature's change list is found`(_ spoiled: SpoiledFeature) {
    let noticed = Seed.seeds(count: 10).contains { seed in
      do {
        try DifferentialRun.run(seed: seed, steps: 40, profile: spoiled.profile) { options in
          try ServedSession(ModelService(sabotage: spoiled.spoil), options: options)
        }
        return false
      } catch {
        return error is DifferentialFailure
      }
    }
    #expect(noticed, "\(spoiled)")
  }

  @Test(arguments: [
    ("\"selected\":true", "\"selected\":false"), ("\"matched\":true", "\"matched\":false"),
    ("\"sectionRow\":1", "\"sectionRow\":0"), ("\"rootCount\":1", "\"rootCount\":2"),
    ("\"toggledKeys\":[]", "\"toggledKeys\":[\"k1\"]"), ("\"next\":null", "\"next\":\"k1\""),
  ])
  func `an error in a feature's read is found`(_ right: String, _ wrong: String) {
    let noticed = Seed.seeds(count: 10).contains { seed in
      do {
        let service = ModelService(spoilRead: { $0.replacing(right, with: wrong) })
        try SharedTreeRun.run(seed: seed, steps: 20, service: service)
        return false
      } catch {
        return error is DifferentialFailure
      }
    }
    #expect(noticed, "\(right) became \(wrong)")
  }
}

/// Errors in the answers of a feature.
enum SpoiledFeature: String, CaseIterable, CustomTestStringConvertible {
  case dropsInsertedSection, dropsDeletedSection, dropsMovedSection, dropsUpdatedSection
  case sectionsLast, wrongSection, wrongSectionRow, noFromSection, noFrom, staleExpanded
  case wrongSectionIndex, keepsSelected, keepsMatched, wrongPrevious

  var testDescription: String { rawValue }

  /// The profile that finds the error.
  var profile: RandomProfile {
    switch self {
    case .keepsSelected: .selection
    case .keepsMatched: .filtered
    case .wrongPrevious: .following
    default: .sections
    }
  }

  func spoil(_ list: inout ChangeList) {
    switch self {
    case .dropsInsertedSection: list.entries.removeAll { $0.kind == .insertSection }
    case .dropsDeletedSection: list.entries.removeAll { $0.kind == .deleteSection }
    case .dropsMovedSection: list.entries.removeAll { $0.kind == .moveSection }
    case .dropsUpdatedSection: list.entries.removeAll { $0.kind == .updateSection }
    case .sectionsLast:
      let sections = list.entries.filter(\.kind.isAboutSection)
      list.entries = list.entries.filter { !$0.kind.isAboutSection } + sections
    case .wrongPrevious: list.previousRevision = max(0, list.previousRevision - 1)
    default: for index in list.entries.indices { spoil(&list.entries[index]) }
    }
  }

  private func spoil(_ entry: inout ChangeList.Entry) {
    switch self {
    case .wrongSection: if entry.section == "A" { entry.section = "B" }
    case .wrongSectionRow: entry.sectionRow = entry.sectionRow.map { $0 + 1 }
    case .wrongSectionIndex: entry.sectionIndex = entry.sectionIndex.map { $0 + 1 }
    case .noFromSection: entry.fromSection = nil
    case .noFrom: entry.from = nil
    case .staleExpanded: entry.expanded = entry.expanded.map { !$0 }
    case .keepsSelected: entry.fields?.removeAll { $0 == "selected" }
    case .keepsMatched: entry.fields?.removeAll { $0 == "matched" }
    default: break
    }
  }
}
