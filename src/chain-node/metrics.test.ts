import { expect, it } from 'vitest'
import { createMetrics } from './metrics.ts'

it('tells Prometheus of calls, blocks, the pool and the process', async () => {
  const metrics = createMetrics({
    head: () => 41,
    pending: () => 3,
    queued: () => 2,
    connections: () => 1,
    subscriptions: () => 5,
    filters: () => 4,
  })
  metrics.countCall('eth_chainId', 0.0002, true)
  metrics.countCall('eth_call', 0.2, false)
  metrics.countCall(null, 0.0001, false)
  metrics.countBlock(12, 0.03)
  const { contentType, text } = await metrics.format()
  expect(contentType).toContain('text/plain')
  const lines = text.split('\n')
  for (const line of [
    'chain_node_rpc_seconds_count{method="eth_chainId"} 1',
    'chain_node_rpc_seconds_bucket{le="0.1",method="eth_call"} 0',
    'chain_node_rpc_seconds_bucket{le="0.5",method="eth_call"} 1',
    'chain_node_rpc_failures_total{method="eth_call"} 1',
    'chain_node_rpc_failures_total{method="unknown"} 1',
    'chain_node_transactions_total 12',
    'chain_node_block_seconds_count 1',
    'chain_node_head_block 41',
    'chain_node_pool_pending 3',
    'chain_node_pool_queued 2',
    'chain_node_websocket_connections 1',
    'chain_node_subscriptions 5',
    'chain_node_filters 4',
  ]) {
    expect(lines).toContain(line)
  }
  expect(text).toContain('process_resident_memory_bytes')
  expect(text).toContain('nodejs_eventloop_lag_seconds')
})
