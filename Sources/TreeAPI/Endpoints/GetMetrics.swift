import HTTP
import TreeDomain

extension Endpoint {
  /// `GET /metrics`: returns metrics of the service, the server and the process, for Prometheus.
  static let getMetrics = Endpoint(answerTypes: [], permission: .metrics, isVital: true) { call in
    if let refusal = call.refusal(at: nil) { return refusal }
    var writer = MetricsWriter()
    call.service.statistics.write(to: &writer)
    call.context.observe(&writer)
    return Response(.ok, contentType: MetricsWriter.contentType, body: writer.finish())
  }
}
