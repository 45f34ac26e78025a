import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AddressType } from '../bitcoin/address.ts'
import { toHex } from '../bitcoin/bytes.ts'
import type { Outpoint } from '../bitcoin/outpoint.ts'
import { encodePsbt, type Psbt, parsePsbt } from '../bitcoin/psbt.ts'
import { extractTransaction } from '../bitcoin/psbt-extract.ts'
import { finalizePsbt } from '../bitcoin/psbt-finalize.ts'
import { type InputOrder, planSigning } from '../bitcoin/psbt-plan.ts'
import { readPrevouts } from '../bitcoin/psbt-prevouts.ts'
import { signPsbt } from '../bitcoin/psbt-sign.ts'
import { publicKeyOf } from '../bitcoin/secp256k1.ts'
import {
  type BuiltInput,
  buildPsbt,
  COSIGNER_KEY,
  type Lock,
  lockOf,
} from '../bitcoin/testing/psbt-building.ts'
import { ADDRESS_TYPES } from '../bitcoin/testing/spending.ts'
import { type Devnet, startDevnet } from './start-devnet.ts'
import { type Client, createClient } from './testing/devnet-client.ts'
import { createTestWallet } from './testing/test-wallet.ts'

const KEY = new Uint8Array(32).fill(0x51)
const AMOUNT = 10_000n
const PAID = 9_000n
/** What a coin is locked with, whose turn it is to sign, and under which type of account. */
type Case = { lock: Lock; accounts: readonly AddressType[]; keys: readonly Uint8Array[] }

const own = (lock: AddressType): Case => ({ lock, accounts: [lock], keys: [KEY] })
const CASES: readonly Case[] = [
  ...ADDRESS_TYPES.map(own),
  { lock: 'raw-p2tr', accounts: ['p2tr'], keys: [KEY] },
  { lock: 'leaf', accounts: ['p2tr'], keys: [KEY] },
  ...(['p2sh-multisig', 'p2wsh-multisig', 'p2sh-p2wsh-multisig'] as const).map(
    (lock): Case => ({ lock, accounts: ['p2wpkh'], keys: [KEY, COSIGNER_KEY] }),
  ),
]
const SIGHASHES = [undefined, 1, 0x81, 0x83]

let devnet: Devnet
let client: Client
const payer = createTestWallet('payer of PSBT coins')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

describe('the node takes what the wallet signed and finalized', () => {
  it.each(CASES)('of $lock, under each sighash that is allowed', async ({ lock, accounts, keys }) => {
    const { inputs, previous } = await fund(SIGHASHES.map(() => lock))
    const { bytes } = buildPsbt({
      inputs: inputs.map((input, i) => withSighash(input, SIGHASHES[i])),
      outputs: SIGHASHES.map(() => ({ type: 'p2wpkh', amount: PAID })),
    })
    const orders = SIGHASHES.map(
      (sighash, index): InputOrder => ({
        index,
        sighashTypes: sighash === undefined ? null : [sighash],
        disableTweakSigner: lock === 'raw-p2tr' || lock === 'leaf',
      }),
    )
    const [addressType = 'p2tr'] = accounts
    const signed = keys.reduce(
      (psbt, key) => sign(psbt, previous, { key, addressType, orders }),
      parsePsbt(bytes),
    )
    await expectMined(signed, previous)
  })
})
