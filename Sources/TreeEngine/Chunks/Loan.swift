/// An object that all copies of chunked arrays share.
///
/// One check tells whether there is more than one copy.
final class Loan: Sendable {}
