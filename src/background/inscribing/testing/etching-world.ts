import { decodeTransaction, parseTransaction } from '../../../bitcoin/transaction.ts'
import { decipherRunestone, type Etching } from '../../../ordinals/runes/runestone.ts'
import type { Worker, World } from '../../testing/test-wallet.ts'
import type { EtchingDraft } from '../../views/inscribe-views.ts'
import { confirm } from './job-world.ts'

/** Blocks from that of the commit to the first that can have the etching. */
export const MATURITY = 5

export const NAME = 'SATCHEL•TEST•RUNES'

export function etchingDraft(changes: Partial<EtchingDraft> = {}): EtchingDraft {
  return {
    name: NAME,
    symbol: '⧉',
    divisibility: 2,
    premine: '1000.5',
    terms: {
      amount: '10',
      cap: '500',
      height: { start: null, end: null },
      offset: { start: null, end: 1_000 },
    },
    turbo: false,
    inscription: null,
    postage: 546,
    feeRate: 5,
    label: '',
    ...changes,
  }
}

/** Works an etching out and confirms it, as a person does who changes nothing. */
export async function etch(worker: Worker, changes: Partial<EtchingDraft> = {}) {
  const plan = await worker.ui('planRuneEtching', etchingDraft(changes))
  const { jobId } = await confirm(worker, plan)
  return { ...plan, jobId }
}

/** The etchings that the chain has, with their transactions. */
export function listEtchings({
  chain,
}: World): { txid: string; rawTx: Uint8Array; etching: Etching }[] {
  return chain.list().flatMap(({ txid, rawTx }) => {
    const scripts = decodeTransaction(rawTx).outs.map(({ script }) => script)
    const runestone = decipherRunestone(scripts)
    const etching = runestone.kind === 'runestone' ? runestone.etching : null
    return etching ? [{ txid, rawTx, etching }] : []
  })
}

/** The index reads the job's etching, as if a block had it in its second place. */
export function index(world: World, txid: string, name = NAME): void {
  const height = world.chain.heightOf(txid) ?? 0
  const id = `${height}:1`
  const outputs = parseTransaction(world.chain.get(txid) ?? new Uint8Array()).outputs
  const vout = outputs.length - 2
  world.assets.etch(`${txid}:${vout}`, {
    ...{ name, rune: id, amount: 100_050n, divisibility: 2, symbol: '⧉' },
  })
  world.assets.describeRune(id, { etching: txid })
}

/** Somebody else etches the name, on a coin of nobody that the index knows. */
export function takeName(world: World, name = NAME): string {
  const txid = 'dd'.repeat(32)
  world.assets.etch(`${txid}:0`, { name, rune: '1:1' })
  world.assets.describeRune('1:1', { etching: txid })
  return txid
}
