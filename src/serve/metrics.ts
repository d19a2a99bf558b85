/** Figures for Prometheus. The only file that names prom-client. */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

export interface Metrics {
  readonly event: (source: string, door: string, outcomes: readonly string[], seconds: number) => void
  readonly request: (route: string, status: number) => void
  readonly refused: (reason: string) => void
  readonly reload: (what: 'routes' | 'contracts', result: string) => void
  readonly text: () => Promise<string>
  readonly contentType: string
  readonly close: () => void
}

/** Label values are from closed lists, or from the owner's own settings: no sender can make more of them. */
export function createMetrics(gauges: { readonly waiting: () => number, readonly capacity: number, readonly connections: () => number }): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry, prefix: 'usher_' })
  const events = new Counter({ name: 'usher_events_total', help: 'Outcomes of events, one for each ask in an event.', labelNames: ['source', 'door', 'outcome'], registers })
  const seconds = new Histogram({ name: 'usher_event_seconds', help: 'From its turn to its outcome.', labelNames: ['door'], buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60], registers })
  const requests = new Counter({ name: 'usher_http_requests_total', help: 'Requests answered.', labelNames: ['route', 'status'], registers })
  const refused = new Counter({ name: 'usher_refused_total', help: 'Requests that were not let in, by reason.', labelNames: ['reason'], registers })
  const reloads = new Counter({ name: 'usher_reloads_total', help: 'Edits of routes and contracts that were seen.', labelNames: ['what', 'result'], registers })
  gauge(registry, 'usher_queue_waiting', 'Events that wait, the running one included.', gauges.waiting)
  gauge(registry, 'usher_queue_capacity', 'Events that may wait.', () => gauges.capacity)
  gauge(registry, 'usher_connections', 'Open connections of the TCP door.', gauges.connections)
  return {
    event: (source, door, outcomes, took) => {
      for (const outcome of outcomes) events.inc({ source: source.split(':', 1)[0] ?? source, door, outcome })
      seconds.observe({ door }, took)
    },
    request: (route, status) => { requests.inc({ route, status: String(status) }) },
    refused: reason => { refused.inc({ reason }) },
    reload: (what, result) => { reloads.inc({ what, result }) },
    text: () => registry.metrics(),
    contentType: registry.contentType,
    close: () => { registry.clear() },
  }
}

function gauge(registry: Registry, name: string, help: string, value: () => number): void {
  registry.registerMetric(new Gauge({ name, help, registers: [], collect() { this.set(value()) } }))
}
