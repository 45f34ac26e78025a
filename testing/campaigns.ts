/**
 * The random campaigns: tests that try as many cases as they are given, and how many those are. `npm test` takes `quick`, some
 * forty seconds of processor in all; `SATCHEL_EFFORT=long`, which `npm run test:long` sets, takes `long`. The cases of the
 * same seed are the same; `SATCHEL_SEED` tries others. A campaign's own file says what it counts.
 */
const CAMPAIGNS = {
  'damaged PSBTs': {
    file: 'src/bitcoin/psbt/mutations.test.ts',
    ...{ quick: 1_500, long: 200_000, seed: 4 },
  },
  'hostile codes': {
    file: 'src/bitcoin/qr/hostile-parts.test.ts',
    ...{ quick: 5_000, long: 1_000_000, seed: 22 },
  },
  'PSBTs that a second library reads': {
    file: 'src/bitcoin/psbt/review-oracle.test.ts',
    ...{ quick: 2_500, long: 50_000, seed: 20_260 },
  },
  'answers of couriers': {
    file: 'src/bitcoin/psbt/returned.test.ts',
    ...{ quick: 400, long: 10_000, seed: 22 },
  },
  'hostile couriers': {
    file: 'src/background/keys/hostile-couriers.test.ts',
    ...{ quick: 80, long: 10_000, seed: 24 },
  },
  'damaged key files': {
    file: 'src/bitcoin/descriptors/key-files-hostile.test.ts',
    ...{ quick: 2_000, long: 1_000_000, seed: 22 },
  },
  'damaged backups': {
    file: 'src/background/keys/backup-file.test.ts',
    ...{ quick: 2_000, long: 100_000, seed: 22 },
  },
  'altered jobs of backups': {
    file: 'src/background/backup/backup-hostile.test.ts',
    ...{ quick: 200, long: 10_000, seed: 22 },
  },
  'damaged descriptors, for the node': {
    file: 'e2e/node/descriptors.node.test.ts',
    ...{ quick: 2_000, long: 100_000, seed: 23 },
  },
  'scripts, for the node': {
    file: 'e2e/node/script-agreement.node.test.ts',
    ...{ quick: 600, long: 100_000, seed: 25 },
  },
  'worlds of a cosigner': {
    file: 'e2e/node/cosigner-attack.test.ts',
    ...{ quick: 400, long: 12_000, seed: 1 },
  },
  'cases of a cosigner of each kind, for the node': {
    file: 'e2e/node/cosigner-attack.node-rest.test.ts',
    ...{ quick: 2, long: 6 },
  },
  'payments through servers that lie of broadcasts': {
    file: 'src/background/payments/lying-broadcasts.test.ts',
    ...{ quick: 16, long: 3_000, seed: 2000 },
  },
  'payments against lying indexes': {
    file: 'src/background/coins/coins-adversarial.test.ts',
    ...{ quick: 1_000, long: 50_000, seed: 6 },
  },
  'lies about confirmations': {
    file: 'src/background/headers/confirmation-proofs.test.ts',
    ...{ quick: 400, long: 1_000_000, seed: 24 },
  },
  'lies of a chain server and its index': {
    file: 'src/background/headers/lying-pair.test.ts',
    ...{ quick: 1_000, long: 1_000_000, seed: 24 },
  },
  'stops of the background': {
    file: 'src/background/testing/every-stop.test.ts',
    ...{ quick: 2, long: 1_000, seed: 3 },
  },
  'wallets with Atomicals': {
    file: 'src/background/collectibles/atomicals-adversarial.test.ts',
    ...{ quick: 10, long: 200, seed: 8 },
  },
  'wallets with everything': {
    file: 'src/background/payments/mixed-wallets.test.ts',
    ...{ quick: 25, long: 1_000, seed: 9 },
  },
  'sequences of change': {
    file: 'src/background/accounts/change-property.test.ts',
    ...{ quick: 6, long: 500, seed: 31 },
  },
  'worst cases of two approvals': {
    file: 'src/bitcoin/psbt/worst-case.test.ts',
    ...{ quick: 1_000, long: 30_000 },
  },
  'transfers to several receivers': {
    file: 'src/ordinals/transfers/transfer-receivers.test.ts',
    ...{ quick: 200, long: 4_000 },
  },
  'transfers of a coin’s sats': {
    file: 'src/ordinals/flow/transfer-flow.test.ts',
    ...{ quick: 80, long: 2_000 },
  },
  'graphs of transactions': {
    file: 'src/background/methods/send-psbt-graphs.test.ts',
    ...{ quick: 40, long: 1_200 },
  },
  'steps of an account’s history': {
    file: 'src/background/activity/history.test.ts',
    ...{ quick: 150, long: 10_000 },
  },
  'transactions with inscriptions': {
    file: 'e2e/node/sat-flow-agreement.test.ts',
    ...{ quick: 1_000, long: 20_000, seed: 5 },
  },
  'transactions with runes': {
    file: 'e2e/node/rune-flow-agreement.test.ts',
    ...{ quick: 600, long: 20_000, seed: 6 },
  },
  'transactions with runestones': {
    file: 'e2e/node/rune-index-agreement.test.ts',
    ...{ quick: 4_000, long: 1_000_000, seed: 7 },
  },
  'transactions with Atomicals': {
    file: 'e2e/node/atomical-flow-agreement.test.ts',
    ...{ quick: 5_000, long: 200_000, seed: 8 },
  },
  'blocks with Atomicals': {
    file: 'e2e/node/atomical-index-agreement.test.ts',
    ...{ quick: 800, long: 20_000, seed: 8 },
  },
  'BRC-20 operations': {
    file: 'e2e/node/brc20-agreement.test.ts',
    ...{ quick: 1_000, long: 30_000 },
  },
  'hostile bodies to a server': {
    file: 'src/chain-node/transport/fuzz.node.test.ts',
    ...{ quick: 4_000, long: 100_000, seed: 1 },
  },
  'bytes to two servers': {
    file: 'src/chain-node/transport/plain-requests.node.test.ts',
    ...{ quick: 3_000, long: 100_000, seed: 1 },
  },
  'hostile bodies to a node': {
    file: 'src/chain-node/conformance/hostile.node.test.ts',
    ...{ quick: 2_000, long: 50_000, seed: 1 },
  },
  'kills of a node': {
    file: 'src/chain-node/conformance/crash.node-rest.test.ts',
    ...{ quick: 5, long: 25, seed: 10 },
  },
  'wallets beside Bitcoin Core’s': {
    file: 'e2e/node/coin-selection.node.test.ts',
    ...{ quick: 8, long: 100, seed: 10_000 },
  },
  'scenarios beside Anvil': {
    file: 'src/chain-node/conformance/anvil.node-rest.test.ts',
    ...{ quick: 500, long: 5_000, seed: 20_261_121 },
  },
  'transactions of many senders': {
    file: 'src/chain-node/producer/load.node.test.ts',
    ...{ quick: 1_500, long: 20_000 },
  },
  'queries of logs': {
    file: 'src/chain-node/chain/log-search.test.ts',
    ...{ quick: 150, long: 3_000 },
  },
  'torn writes': {
    file: 'src/chain-node/chain/torn-write.test.ts',
    ...{ quick: 15, long: 500 },
  },
  'requests one after the other': {
    file: 'e2e/specs/approvals/approvals.e2e.ts',
    ...{ quick: 12, long: 1_000, seed: 1 },
  },
  'signatures and their addresses': {
    file: 'src/chain-node/engine/crypto.test.ts',
    ...{ quick: 10, long: 1_000 },
  },
  'blocks there and back': {
    file: 'src/chain-node/engine/encoding/block-codec.test.ts',
    ...{ quick: 50, long: 10_000 },
  },
  'EVM transactions there and back': {
    file: 'src/chain-node/engine/encoding/transaction-codec.test.ts',
    ...{ quick: 20, long: 2_000 },
  },
  'changes of a trie': {
    file: 'src/chain-node/engine/state/state.test.ts',
    ...{ quick: 40, long: 2_000 },
  },
  'transactions that are refused': {
    file: 'src/chain-node/engine/transaction-refusal.test.ts',
    ...{ quick: 400, long: 20_000 },
  },
  'transactions that run': {
    file: 'src/chain-node/engine/transaction-runner.test.ts',
    ...{ quick: 8, long: 500 },
  },
  'steps of a pool': {
    file: 'src/chain-node/pool/pool-model.test.ts',
    ...{ quick: 60, long: 1_000 },
  },
} satisfies Record<string, { file: string; quick: number; long: number; seed?: number }>

export type CampaignName = keyof typeof CAMPAIGNS

const EFFORTS = ['quick', 'long'] as const
type Effort = (typeof EFFORTS)[number]

/** Whether campaigns are long in this run. */
export const isLong = readEffort(process.env) === 'long'

/** How many cases a campaign tries in this run, and from which seed. */
export function campaign(name: CampaignName): { count: number; seed: number } {
  const { quick, long, ...own } = CAMPAIGNS[name]
  const seed = Number(process.env.SATCHEL_SEED || ('seed' in own ? own.seed : 1))
  return { count: isLong ? long : quick, seed }
}

/** The names of all campaigns with their files. */
export function listCampaigns(): { name: string; file: string; quick: number; long: number }[] {
  return Object.entries(CAMPAIGNS).map(([name, { file, quick, long }]) => {
    return { name, file, quick, long }
  })
}

/** `SATCHEL_EFFORT`, quick where it is not set. Throws when it is neither. */
export function readEffort(env: Readonly<Record<string, string | undefined>>): Effort {
  const { SATCHEL_EFFORT: wanted = 'quick' } = env
  const effort = EFFORTS.find(one => one === wanted)
  if (!effort) throw new Error(`SATCHEL_EFFORT is ${wanted}: want ${EFFORTS.join(' or ')}`)
  return effort
}
