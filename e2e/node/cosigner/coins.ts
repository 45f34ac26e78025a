import { sha256 } from '@noble/hashes/sha2.js'
import { RawTx } from '@scure/btc-signer'
import type { World } from '../../../src/background/testing/test-wallet.ts'
import type { AddressType } from '../../../src/bitcoin/address.ts'
import { fromHex, toHex } from '../../../src/bitcoin/bytes.ts'
import type { Random } from '../../../src/bitcoin/testing/signable-psbts.ts'
import {
  type ForeignKind,
  foreignLock,
  type Opening,
  ownLock,
  type SharedKind,
  sharedLock,
} from './scripts.ts'

/** What truly sits on a coin; `key` is how a review names it: an inscription's or Atomical's id, a rune's name. */
export type Holding =
  | { kind: 'inscription'; key: string; offset: bigint }
  | { kind: 'rune'; key: string; rune: string; amount: bigint }
  | { kind: 'nft' | 'ft'; key: string; amount: bigint }

/** An account of the wallet under attack. */
export type OwnAccount = {
  id: string
  address: string
  addressType: AddressType
  publicKey: Uint8Array
}

/** A coin as it is, and as a PSBT describes it. */
export type Coin = Opening &
  Place & {
    amount: bigint
    owner: 'own' | 'shared' | 'foreign'
    /** What it is locked by, for the figures. */
    kind: string
    /** Index of the account whose key it names; null for others. */
    account: number | null
    holdings: readonly Holding[]
    claim: { amount: bigint; script: Uint8Array }
    /** Whether the wallet's server has the transaction that made it. */
    isKnown: boolean
  }

/** Where a coin is; the transaction that made it is null where that is one of a request. */
export type Place = { at: string; outpoint: { txid: string; vout: number }; raw: Uint8Array | null }

/** Where the next coin is, for tests whose coins are real; `isKnown` as of {@link Coin}. */
export type FindPlace = (script: Uint8Array, amount: bigint, isKnown: boolean) => Place

export type Lie = { amount?: bigint; script?: Uint8Array }

/** Makes coins whose outpoints follow from the random source, and adds them to the world's chain and indexes. */
export function createMint(
  random: Random,
  world: World,
  accounts: readonly OwnAccount[],
  findPlace?: FindPlace,
) {
  const minted: Coin[] = []
  let runes = 0
  const randomHex = () =>
    Array.from({ length: 8 }, () => (random(2 ** 16) * 2 ** 16 + random(2 ** 16)) >>> 0)
      .map(word => word.toString(16).padStart(8, '0'))
      .join('')

  function randomPlace(script: Uint8Array, amount: bigint, isKnown: boolean): Place {
    const [decoys, txid] = [random(2), randomHex()]
    if (findPlace) return findPlace(script, amount, isKnown)
    const decoy = { script: fromHex('51'), amount: 600n }
    const outputs = [...(decoys ? [decoy] : []), { script, amount }]
    return placeIn(encodeRaw([{ txid, vout: 0 }], outputs), decoys)
  }

  /** Of an account's address unless it is a script with its key. */
  function describe(account: number, kind?: SharedKind) {
    const { addressType, publicKey } = accountAt(accounts, account)
    const opening = kind ? sharedLock(kind, publicKey) : ownLock(addressType, publicKey)
    // The untweaked key is the wallet's alone.
    const owner: Coin['owner'] = kind && kind !== 'raw-p2tr' ? 'shared' : 'own'
    return { ...opening, owner, kind: kind ?? addressType, account }
  }

  function keep(coin: Coin): Coin {
    if (coin.isKnown && coin.raw && !world.chain.get(coin.outpoint.txid)) world.chain.add(coin.raw)
    for (const holding of coin.holdings) tell(coin.at, holding)
    minted.push(coin)
    return coin
  }

  function tell(at: string, holding: Holding): void {
    const { assets, atomicals } = world
    if (holding.kind === 'inscription')
      assets.inscribe(at, { id: holding.key, offset: holding.offset })
    else if (holding.kind === 'rune')
      assets.etch(at, { name: holding.key, rune: holding.rune, amount: holding.amount })
    else atomicals.mint(at, { id: holding.key, type: holding.kind, amount: holding.amount })
  }

  function make(
    described: ReturnType<typeof describe>,
    amount: bigint,
    holdings: readonly Holding[],
    place?: Place,
  ): Coin {
    const { script } = described
    const claim = { amount, script }
    const found = place ?? randomPlace(script, amount, true)
    return keep({ ...described, ...found, amount, holdings, claim, isKnown: true })
  }

  const foreignOf = (lock: ForeignKind) => {
    return { ...foreignLock(lock), owner: 'foreign', kind: lock, account: null } as const
  }

  return {
    /** All that was made, in order. */
    minted,
    own: (account: number, amount: bigint, holdings: readonly Holding[] = []): Coin =>
      make(describe(account), amount, holdings),
    shared: (
      kind: SharedKind,
      account: number,
      amount: bigint,
      holdings: readonly Holding[] = [],
    ): Coin => make(describe(account, kind), amount, holdings),
    /** An own coin that this transaction made, which is in a block. */
    made: (
      account: number,
      raw: Uint8Array,
      vout: number,
      amount: bigint,
      holdings: readonly Holding[],
    ): Coin => make(describe(account), amount, holdings, placeIn(raw, vout)),
    /** A PSBT can lie about a coin that the server does not know, or is not asked for. */
    foreign(
      lock: ForeignKind,
      amount: bigint,
      {
        holdings = [],
        lie,
        isKnown = !lie,
      }: { holdings?: readonly Holding[]; lie?: Lie; isKnown?: boolean } = {},
    ): Coin {
      const described = foreignOf(lock)
      const claim = { amount: lie?.amount ?? amount, script: lie?.script ?? described.script }
      const place = randomPlace(described.script, amount, isKnown)
      return keep({
        ...{ ...described, ...place, amount, holdings, claim, isKnown },
        fields: lie?.script ? {} : described.fields,
      })
    },
    /** A coin that a transaction of a request makes, of an account or (null) the attacker's; no server knows of it. */
    future(account: number | null, outpoint: Coin['outpoint'], amount: bigint): Coin {
      const described = account === null ? foreignOf('p2wpkh') : describe(account)
      const place = { outpoint, at: `${outpoint.txid}:${outpoint.vout}`, raw: null }
      const claim = { amount, script: described.script }
      return { ...described, ...place, amount, holdings: [], claim, isKnown: false }
    },
    /** A coin of the attacker's that no server knows. */
    secret(lock: ForeignKind, amount: bigint, holdings: readonly Holding[]): Coin {
      const described = foreignOf(lock)
      const { script } = described
      const outpoint = { txid: randomHex(), vout: 0 }
      const place = findPlace?.(script, amount, false) ?? {
        ...{ outpoint, at: `${outpoint.txid}:0`, raw: new Uint8Array() },
      }
      return { ...described, ...place, amount, holdings, claim: { amount, script }, isKnown: false }
    },
    /** An index that keeps spent outputs reports them as empty. */
    empty({ at }: Coin): void {
      world.assets.lie(at, { known: true, assets: [] })
      world.atomicals.lie(at, { known: true, assets: [] })
    },
    inscription: (offset: bigint): Holding => {
      return { kind: 'inscription', key: `${randomHex()}i0`, offset }
    },
    rune(amount: bigint): Holding {
      const key = Array.from({ length: 14 }, () => String.fromCharCode(65 + random(26))).join('')
      return { kind: 'rune', key, rune: `${60 + ++runes}:${1 + random(9)}`, amount }
    },
    nft: (): Holding => ({ kind: 'nft', key: `${randomHex()}i0`, amount: 1n }),
    ft: (amount: bigint): Holding => ({ kind: 'ft', key: `${randomHex()}i0`, amount }),
  }
}

export type Mint = ReturnType<typeof createMint>

export function accountAt(accounts: readonly OwnAccount[], at: number): OwnAccount {
  const account = accounts[at]
  if (!account) throw new Error(`no account ${at}`)
  return account
}

/** A transaction without witnesses, by an independent library. */
export function encodeRaw(
  inputs: readonly { txid: string; vout: number; sequence?: number; scriptSig?: Uint8Array }[],
  outputs: readonly { script: Uint8Array; amount: bigint }[],
  { version = 2, lockTime = 0 } = {},
): Uint8Array {
  return RawTx.encode({
    ...{ version, lockTime, segwitFlag: false, witnesses: undefined },
    inputs: inputs.map(({ txid, vout, sequence = 0xfffffffd, scriptSig }) => ({
      ...{ txid: fromHex(txid), index: vout, sequence },
      finalScriptSig: scriptSig ?? new Uint8Array(),
    })),
    outputs: outputs.map(({ script, amount }) => ({ script, amount })),
  })
}

export function placeIn(raw: Uint8Array, vout: number): Place {
  const txid = txidOf(raw)
  return { raw, outpoint: { txid, vout }, at: `${txid}:${vout}` }
}

export function txidOf(raw: Uint8Array): string {
  return toHex(sha256(sha256(raw)).reverse())
}
