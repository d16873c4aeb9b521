/// A tree whose sequences have nodes of `fanout` entries; see ``SizedTree``.
///
/// Tests use 4, so that twenty nodes make three levels. The product uses 64, for which all public
/// functions are specialised.
public typealias Tree<let fanout: Int> = SizedTree<Fanout<fanout>>
