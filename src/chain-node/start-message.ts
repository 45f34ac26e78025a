import type { Config } from './config/config.ts'
import { DEV_KEYS } from './dev-accounts.ts'
import type { ChainNode } from './node.ts'

type Started = Pick<ChainNode, 'url' | 'wsUrl' | 'chainId' | 'devAccounts'> & {
  readonly chain: Pick<ChainNode['chain'], 'head' | 'genesis'>
}

/** What a node says when it is ready: where it is, and what it serves to whom. */
export function describeStart(config: Config, node: Started): string {
  const { production } = config
  const blocks = {
    automine: 'as transactions come',
    interval: `every ${'seconds' in production ? production.seconds : 0} s`,
    manual: 'when evm_mine is called',
  }[production.mode]
  const lines = [
    '',
    `The chain node is ready: chain ${node.chainId}, block ${node.chain.head().number}.`,
    `  HTTP       ${node.url}`,
    `  WebSocket  ${node.wsUrl}`,
    `  Blocks     ${blocks}`,
    `  Data       ${config.dataFolder}`,
  ]
  if (config.fork !== null) {
    const { number } = node.chain.genesis
    lines.push(`  Fork       of block ${number} of the chain of ${config.fork.url.origin}`)
  }
  if (config.isExposed) {
    lines.push('', `Other machines reach it at ${config.host}, and it serves them:`)
    lines.push('  the chain, its pool, filters and subscriptions, sending what is signed already')
    lines.push(
      config.keys
        ? '  its accounts and personal_*: whoever reaches it spends from what is unlocked (--allow-insecure-unlock)'
        : '  not its accounts nor personal_*, which --allow-insecure-unlock would serve',
    )
  }
  if (config.dev) {
    lines.push(
      '',
      config.genesisFile === null
        ? 'Unlocked accounts with 10,000 coins each. Everybody knows their keys:'
        : 'Unlocked accounts, with 10,000 coins each unless the genesis or a block says otherwise. Everybody knows their keys:',
    )
    const addresses = node.devAccounts
    lines.push(...addresses.map((address, index) => `  ${address}  ${DEV_KEYS[index]}`))
  }
  return [...lines, '', 'Ctrl-C stops it.'].join('\n')
}
