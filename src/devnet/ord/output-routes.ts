import { parseAddress } from '../chain/script.ts'
import { exactJson } from '../server/exact-json.ts'
import { HttpError, param, type Route } from '../server/http.ts'
import { notFound, type OrdServer, page, parseTexts, requireJson } from './ord-call.ts'
import type { OrdIndex } from './ord-index.ts'
import { describeHoldings, describeOutput } from './output-json.ts'
import { formatSpacedName } from './runes/rune-name.ts'

const OUTPUT_TYPES = ['any', 'cardinal', 'inscribed', 'runic'] as const
type OutputType = (typeof OUTPUT_TYPES)[number]

/** What is on outputs, one by one and by address. */
export function outputRoutes({ network, get, post }: OrdServer): Route[] {
  const requireOutput = (index: OrdIndex, outpoint: string) => {
    const output = describeOutput(network, index, outpoint)
    if (!output) throw notFound(`output ${outpoint}`)
    return output
  }
  return [
    get('/output/:outpoint', (call, index) =>
      page(call, requireOutput(index, readOutpoint(param(call, 'outpoint')))),
    ),
    post('/outputs', (call, index) => {
      requireJson(call)
      return exactJson(
        parseTexts(call).map(outpoint => requireOutput(index, readOutpoint(outpoint))),
      )
    }),
    get('/outputs/:address', (call, index) => {
      requireJson(call)
      const type = readType(call.query.get('type') ?? 'any')
      return exactJson(
        listOutpoints(index, param(call, 'address'))
          .filter(outpoint => isOfType(index, outpoint, type))
          .map(outpoint => requireOutput(index, outpoint)),
      )
    }),
    get('/address/:address', (call, index) => {
      const outputs = listOutpoints(index, param(call, 'address'))
      return page(call, {
        outputs,
        inscriptions: outputs.flatMap(outpoint => describeHoldings(index, outpoint).inscriptions),
        sat_balance: outputs.reduce(
          (sum, outpoint) => sum + (index.output(outpoint)?.value ?? 0n),
          0n,
        ),
        runes_balances: sumRunes(index, outputs),
      })
    }),
    get('/r/utxo/:outpoint', (call, index) => {
      const outpoint = readOutpoint(param(call, 'outpoint'))
      const output = index.output(outpoint)
      if (!output || output.spent) throw notFound(`output ${outpoint}`)
      const { inscriptions, runes } = describeHoldings(index, outpoint)
      return exactJson({
        inscriptions,
        runes,
        sat_ranges: index.satRanges(outpoint),
        value: output.value,
      })
    }),
  ]
}

function readOutpoint(text: string): string {
  const [, txid, vout] = /^([0-9a-f]{64}):(0|[1-9]\d{0,9})$/i.exec(text) ?? []
  if (txid === undefined || Number(vout) > 0xffffffff) {
    throw new HttpError(400, `Invalid URL: cannot parse outpoint ${text}`)
  }
  return `${txid.toLowerCase()}:${vout}`
}

function readType(text: string): OutputType {
  const type = OUTPUT_TYPES.find(type => type === text)
  if (!type) throw new HttpError(400, `Failed to deserialize query string: unknown type ${text}`)
  return type
}

function isOfType(index: OrdIndex, outpoint: string, type: OutputType): boolean {
  const isInscribed = (index.output(outpoint)?.inscriptions.length ?? 0) > 0
  const isRunic = index.piles(outpoint).length > 0
  if (type === 'cardinal') return !isInscribed && !isRunic
  return type === 'any' || (type === 'inscribed' ? isInscribed : isRunic)
}

/** In ord's order: by the txid's bytes as they are on the wire, then by the output's place. */
function listOutpoints(index: OrdIndex, address: string): string[] {
  const script = parseAddress(address)
  if (!script) throw new HttpError(400, `address ${address} is not valid on regtest`)
  return index
    .unspentOf(script)
    .map(outpoint => {
      const [txid = '', vout] = outpoint.split(':')
      return { outpoint, txid: Buffer.from(txid, 'hex').reverse(), vout: Number(vout) }
    })
    .sort((a, b) => Buffer.compare(a.txid, b.txid) || a.vout - b.vout)
    .map(({ outpoint }) => outpoint)
}

/** Name, amount as a decimal, and symbol of each rune. */
function sumRunes(index: OrdIndex, outpoints: readonly string[]) {
  const sums = new Map<string, ReturnType<OrdIndex['piles']>[number]>()
  for (const pile of outpoints.flatMap(index.piles)) {
    const amount = (sums.get(pile.entry.id)?.amount ?? 0n) + pile.amount
    sums.set(pile.entry.id, { ...pile, amount })
  }
  return [...sums.values()]
    .sort((a, b) => (a.entry.rune < b.entry.rune ? -1 : 1))
    .map(({ entry: { rune, spacers, divisibility, symbol }, amount }) => [
      formatSpacedName(rune, spacers),
      formatDecimal(amount, divisibility),
      symbol,
    ])
}

/** Without zeros at the end. */
export function formatDecimal(amount: bigint, divisibility: number): string {
  const digits = amount.toString().padStart(divisibility + 1, '0')
  const point = digits.length - divisibility
  const fraction = digits.slice(point).replace(/0+$/, '')
  return fraction === '' ? digits.slice(0, point) : `${digits.slice(0, point)}.${fraction}`
}
