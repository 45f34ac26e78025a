import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** What is read off the node whenever somebody asks for its metrics. */
export interface Gauges {
  readonly head: () => number
  readonly pending: () => number
  readonly queued: () => number
  readonly connections: () => number
  readonly subscriptions: () => number
  readonly filters: () => number
}

export interface Metrics {
  /** One call: its method as the table spells it, or null for one that is not there. */
  countCall(method: string | null, seconds: number, ok: boolean): void
  /** One block: its transactions, and how long it took to run and store. */
  countBlock(transactions: number, seconds: number): void
  /** The text that Prometheus reads, with its content type. */
  format(): Promise<{ contentType: string; text: string }>
}

/** Metrics of the node and of its process. */
export function createMetrics(gauges: Gauges): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'chain_node_rpc_seconds',
    help: 'Time from a call to its answer',
    labelNames: ['method'],
    buckets: [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const failures = new Counter({
    name: 'chain_node_rpc_failures_total',
    help: 'Calls that were answered with an error',
    labelNames: ['method'],
    registers,
  })
  const blocks = new Histogram({
    name: 'chain_node_block_seconds',
    help: 'Time to run a block and store it',
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
    registers,
  })
  const transactions = new Counter({
    name: 'chain_node_transactions_total',
    help: 'Transactions that are in a block',
    registers,
  })
  const described: { [name in keyof Gauges]: [name: string, help: string] } = {
    head: ['chain_node_head_block', 'Number of the newest block'],
    pending: ['chain_node_pool_pending', 'Transactions that the next block can take'],
    queued: ['chain_node_pool_queued', 'Transactions that wait for another or for money'],
    connections: ['chain_node_websocket_connections', 'WebSocket connections'],
    subscriptions: ['chain_node_subscriptions', 'Subscriptions of all connections'],
    filters: ['chain_node_filters', 'Filters that are installed'],
  }
  for (const [key, [name, help]] of Object.entries(described)) {
    const read = gauges[key as keyof Gauges]
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  }
  return {
    countCall(method, seconds, ok) {
      const labels = { method: method ?? 'unknown' }
      calls.observe(labels, seconds)
      if (!ok) failures.inc(labels)
    },
    countBlock(count, seconds) {
      blocks.observe(seconds)
      transactions.inc(count)
    },
    format: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  }
}
