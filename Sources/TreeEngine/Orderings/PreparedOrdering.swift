/// An ordering that was made on a fork of a tree.
public struct PreparedOrdering<Width: NodeWidth>: Sendable {
  let ordering: Ordering<Width>
}
