import type { EnvelopeFields } from '../../ordinals/inscriptions/envelope.ts'
import { createJournal } from '../chain/journal.ts'
import { type Brc20Ledger, createBrc20Ledger } from '../ord/brc20/brc20-ledger.ts'
import type { Passage } from '../ord/inscriptions/flotsam.ts'

const TOKENS = 50
const OWNERS = 1_000
/** Each note is minted, made transferable and moved. */
const STEPS = 3
const NO_FIELDS: EnvelopeFields = {
  body: null,
  contentType: null,
  contentEncoding: null,
  metaprotocol: null,
  pointer: null,
  parents: [],
  delegate: null,
  metadata: null,
  rune: null,
  properties: null,
  propertyEncoding: null,
}

/** Blocks of mints, transfer inscriptions and moves, all of which count; the first block deploys the tokens. */
export function buildBrc20Blocks(blocks: number, eventsPerBlock: number): readonly Passage[][] {
  const terms = { max: '18446744073709551615', lim: '1000' }
  const deploys = Array.from({ length: TOKENS }, (_, token) =>
    inscribe(idOf('d', token), 0, { op: 'deploy', tick: tickOf(token), ...terms }),
  )
  const events = Array.from({ length: blocks * eventsPerBlock }, (_, at) => {
    const note = Math.floor(at / STEPS)
    const operation = { tick: tickOf(note % TOKENS), amt: '1000' }
    if (at % STEPS === 0) return inscribe(idOf('a', note), note, { op: 'mint', ...operation })
    if (at % STEPS === 1) return inscribe(idOf('b', note), note, { op: 'transfer', ...operation })
    return { id: idOf('b', note), reveal: null, script: scriptOf(note + 1) }
  })
  const cut = (_: unknown, block: number) =>
    events.slice(block * eventsPerBlock, (block + 1) * eventsPerBlock)
  return [deploys, ...Array.from({ length: blocks }, cut)]
}

/** A ledger that has read them, with all that it takes to undo them. */
export function replayBrc20Events(blocks: readonly Passage[][]): Brc20Ledger {
  const ledger = createBrc20Ledger()
  for (const [height, passages] of blocks.entries()) {
    ledger.connect(height, passages, createJournal())
  }
  return ledger
}

/** The passage of an operation, as JSON in plain text, to the owner of this number. */
export function inscribe(id: string, owner: number, operation: Record<string, string>): Passage {
  const body = Buffer.from(JSON.stringify({ p: 'brc-20', ...operation }))
  const fields = { ...NO_FIELDS, contentType: Buffer.from('text/plain;charset=utf-8'), body }
  const plain = { curse: null, unbound: false, reinscription: false, delegate: null }
  return { id, reveal: { fields, ...plain, parents: [], fee: 0n }, script: scriptOf(owner) }
}

function tickOf(token: number): string {
  return `t${String(token).padStart(3, '0')}`
}

function idOf(prefix: string, number: number): string {
  return `${prefix + String(number).padStart(63, '0')}i0`
}

function scriptOf(owner: number): Uint8Array {
  const script = Buffer.alloc(22)
  script.writeUInt16BE(20)
  script.writeUInt32BE(owner % OWNERS, 2)
  return script
}
