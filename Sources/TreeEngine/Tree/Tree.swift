/// A tree whose sequences have nodes of so many entries: ``SizedTree``, where all is said.
///
/// Tests use 4, so that twenty nodes make three levels; the product uses 64, for which everything
/// public is compiled specially.
public typealias Tree<let fanout: Int> = SizedTree<Fanout<fanout>>
