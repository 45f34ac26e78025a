import { RawTx } from '@scure/btc-signer'
import { toHex } from '../../../src/bitcoin/bytes.ts'
import { type BuiltInput, buildPsbt } from '../../../src/bitcoin/testing/psbt-building.ts'
import { type Coin, encodeRaw, txidOf } from './coins.ts'

/** An input of a PSBT; no coin is a place that a buyer fills. */
export type DraftInput = {
  coin: Coin | null
  /** PSBT_IN_SIGHASH_TYPE and what the page asks for; null for none. */
  sighash: number | null
  /** Whether the page names it. */
  isNamed: boolean
  /** What the PSBT says of the coin. */
  proof: 'previous' | 'witness' | 'none'
  /** Fields that say something false or that a later signature does not bind. */
  extra?: BuiltInput['fields']
  /** Brings the signatures that this wallet gave for it before. */
  brings?: boolean
}

export type DraftOutput = { script: Uint8Array; amount: bigint; own: boolean }

/** A transaction that a site wants signed; `isMined` where it is in a block already. */
export type DraftItem = {
  inputs: readonly DraftInput[]
  outputs: readonly DraftOutput[]
  version: 0 | 2
  isMined: boolean
}

export type DraftRequest = {
  account: number
  items: readonly DraftItem[]
  /** With the switch for experts. */
  expert: boolean
}

/** One random case: its requests in order, and the lies and tricks in them for the statistics. */
export type DraftCase = {
  shape: string
  requests: readonly DraftRequest[]
  tricks: readonly string[]
}

/** The txid under which other items know a transaction: with what is certain of its scriptSigs. */
export function draftTxid({ inputs, outputs }: Pick<DraftItem, 'inputs' | 'outputs'>): string {
  return txidOf(
    encodeRaw(
      inputs.map(({ coin }, at) => spendOf(coin, at)),
      outputs,
    ),
  )
}

function spendOf(coin: Coin | null, at: number) {
  const { txid, vout } = coin?.outpoint ?? { txid: '00'.repeat(32), vout: at }
  const isNested = coin !== null && /^p2sh-p2w/.test(coin.kind)
  return { txid, vout, ...(isNested && { scriptSig: coin.scriptSig }) }
}

/** As hex, and the options that go with it. */
export function writeItem(
  item: DraftItem,
  address: string,
  signatures: (coin: Coin) => BuiltInput['fields'],
) {
  const { inputs, outputs, version } = item
  const built = buildPsbt({
    version,
    inputs: inputs.map((input, at): BuiltInput => {
      const { coin, sighash } = input
      const asked = sighash === null ? {} : { sighash }
      if (!coin) return { type: 'p2wpkh', amount: 0n, placeholder: at, proof: 'none', ...asked }
      const previous = input.proof === 'previous' && coin.raw
      return {
        type: { script: coin.claim.script, fields: coin.fields },
        amount: coin.claim.amount,
        outpoint: coin.outpoint,
        proof: input.proof === 'witness' ? 'witness' : 'none',
        fields: {
          ...(previous && { nonWitnessUtxo: RawTx.decode(previous) }),
          ...(input.brings && signatures(coin)),
          ...input.extra,
        },
        ...asked,
      }
    }),
    outputs: outputs.map(({ script, amount }) => ({ type: { script }, amount })),
  })
  const toSignInputs = inputs.flatMap(({ coin, sighash, isNamed }, index) =>
    isNamed
      ? {
          ...{ index, address, disableTweakSigner: coin?.kind === 'raw-p2tr' },
          ...(sighash !== null && { sighashTypes: [sighash] }),
        }
      : [],
  )
  const options = { autoFinalized: false, ...(toSignInputs.length > 0 && { toSignInputs }) }
  return { hex: toHex(built.bytes), options }
}
