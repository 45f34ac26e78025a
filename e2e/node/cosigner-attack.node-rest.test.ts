import { RawTx } from '@scure/btc-signer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/bitcoin/bytes.ts'
import { type Bitcoind, startBitcoind } from '../../src/devnet/bitcoind/bitcoind.ts'
import { findBitcoind } from '../../src/devnet/bitcoind/bitcoind-binary.ts'
import { RpcError } from '../../src/devnet/bitcoind/rpc.ts'
import { createTestWallet } from '../../src/devnet/testing/test-wallet.ts'
import { campaign } from '../../testing/campaigns.ts'
import { attackOnce, CASE_SHAPES, shapeOf } from './cosigner/attack.ts'
import { encodeRaw, type FindPlace, type Place, placeIn } from './cosigner/coins.ts'
import { signForReal } from './cosigner/real-signing.ts'
import { openStage } from './cosigner/stage.ts'
import { createTally } from './cosigner/tally.ts'
import type { PlayedWorld } from './cosigner/worlds.ts'
import { createBank } from './testing/core-wallet.ts'

const NOBODY = 'bcrt1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqdku202'
const { count: ROUNDS } = campaign('cases of a cosigner of each kind, for the node')
const WORLDS_PER_CASE = 8

const payer = createTestWallet('payer of cosigners')
let node: Bitcoind
let bank: Awaited<ReturnType<typeof createBank>>

beforeAll(async () => {
  node = await startBitcoind(await findBitcoind(() => undefined))
  bank = await createBank(node, 110)
})
afterAll(async () => {
  bank?.close()
  await node?.stop()
})

type Wanted = { script: Uint8Array; amount: bigint; isKnown: boolean }

/** The same case with invented coins, to know which ones it takes. */
async function listCoins(seed: number): Promise<Wanted[]> {
  const wanted: Wanted[] = []
  let count = 0
  const findPlace: FindPlace = (script, amount, isKnown) => {
    wanted.push({ script, amount, isKnown })
    const txid = (++count).toString(16).padStart(64, '0')
    return placeIn(encodeRaw([{ txid, vout: 0 }], [{ script, amount }]), 0)
  }
  await attackOnce(await openStage(), seed, createTally(), { findPlace, perCase: WORLDS_PER_CASE })
  return wanted
}

/** Coins that are in a block; those of which the wallet's server knows are of another transaction. */
async function pay(wanted: readonly Wanted[]): Promise<Place[]> {
  const places: Place[] = []
  for (const isKnown of [true, false]) {
    const coins = wanted.filter(coin => coin.isKnown === isKnown)
    const outputs = coins.map(({ script, amount }) => ({ script, value: amount }))
    if (outputs.length === 0) continue
    const value = outputs.reduce((total, output) => total + output.value, 100_000n)
    const txid = await bank.pay([{ script: payer.script, value }])
    await node.rpc('generatetoaddress', [1, NOBODY])
    const funding = payer.spend([{ txid, vout: 0, value }], outputs).toHex()
    // In a block at once: some of the scripts are not relayed.
    await node.rpc('generateblock', [NOBODY, [funding]])
    const raw = stripWitnesses(fromHex(funding))
    for (const [vout, coin] of coins.entries()) places[wanted.indexOf(coin)] = placeIn(raw, vout)
  }
  return places
}

function stripWitnesses(raw: Uint8Array): Uint8Array {
  return RawTx.encode({ ...RawTx.decode(raw), segwitFlag: false, witnesses: undefined })
}

/** Why the node takes these into no block; null when it does. */
async function invalidityOf(world: PlayedWorld): Promise<string | null> {
  const raw = world.map(transaction => toHex(signForReal(transaction)))
  try {
    const submit = false
    await node.rpc('generateblock', [NOBODY, raw, submit])
    return null
  } catch (error) {
    return error instanceof RpcError ? error.message : String(error)
  }
}

// What an old transaction made is in no block of this node.
const seeds = Array.from({ length: CASE_SHAPES.length * ROUNDS }, (_, at) => at + 1).filter(
  seed => shapeOf(seed) !== 'old transaction',
)

describe('worlds that an attacker makes of what the wallet signed', () => {
  it.each(CASE_SHAPES.filter(shape => shape !== 'old transaction'))(
    'of the kind "%s" are valid for the node',
    async shape => {
      let taken = 0
      for (const seed of seeds.filter(seed => shapeOf(seed) === shape)) {
        const places = await pay(await listCoins(seed))
        let next = 0
        const findPlace: FindPlace = () => {
          const place = places[next++]
          if (!place) throw new Error('more coins than before')
          return place
        }
        const worlds: PlayedWorld[] = []
        await attackOnce(await openStage(), seed, createTally(), {
          findPlace,
          perCase: WORLDS_PER_CASE,
          see: world => worlds.push(world),
        })
        for (const world of worlds) {
          const kinds = world.map(({ inputs }) => inputs.map(({ coin }) => coin.kind))
          expect([seed, kinds, await invalidityOf(world)]).toEqual([seed, kinds, null])
          taken++
        }
      }
      expect(taken).toBeGreaterThan(0)
    },
  )
})
