import { sha256 } from '@noble/hashes/sha2.js'
import { RawTx } from '@scure/btc-signer'
import type { World } from '../../../background/testing/test-wallet.ts'
import type { AddressType } from '../../../bitcoin/address.ts'
import { fromHex, toHex } from '../../../bitcoin/bytes.ts'
import type { Random } from '../../../bitcoin/testing/drawn-psbts.ts'
import type { Lock, Locked } from '../../../bitcoin/testing/psbt-building.ts'
import type { Signed } from '../../../bitcoin/testing/signature-oracle.ts'
import { foreignLock, leafWitness, ownLock, type SharedKind, sharedLock } from './scripts.ts'

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
  privateKey: Uint8Array
}

/** A coin as it is, and as a PSBT tells of it. */
export type Coin = {
  at: string
  outpoint: { txid: string; vout: number }
  amount: bigint
  script: Uint8Array
  owner: 'own' | 'shared' | 'foreign'
  /** What it is locked by, for the figures. */
  kind: string
  /** Index of the account whose key it names; null for others. */
  account: number | null
  signed: Signed | null
  /** Others can spend it without the wallet. */
  open: boolean
  /** Whoever spends it can show a script of his own. */
  reveals: boolean
  /** What stands in its witness beside signatures, unless something else is shown. */
  shows: readonly Uint8Array[]
  scriptSig: Uint8Array
  fields: Locked['fields']
  holdings: readonly Holding[]
  claim: { amount: bigint; script: Uint8Array }
  /** The transaction that made it; null where that is one of a request. */
  raw: Uint8Array | null
  /** Whether the wallet's server has that transaction. */
  isKnown: boolean
}

export type Lie = { amount?: bigint; script?: Uint8Array }

/** Makes coins whose outpoints follow from the random source, and tells the world's chain and indexes of them. */
export function createMint(random: Random, world: World, accounts: readonly OwnAccount[]) {
  const minted: Coin[] = []
  let count = 0
  const drawHex = () =>
    Array.from({ length: 8 }, () => (random(2 ** 16) * 2 ** 16 + random(2 ** 16)) >>> 0)
      .map(word => word.toString(16).padStart(8, '0'))
      .join('')

  function draw(script: Uint8Array, amount: bigint) {
    const decoys = random(2)
    const decoy = { script: fromHex('51'), amount: 600n }
    const coin = { script, amount }
    return lay(
      encodeRaw([{ txid: drawHex(), vout: 0 }], [...(decoys ? [decoy] : []), coin]),
      decoys,
    )
  }

  function lay(raw: Uint8Array, vout: number) {
    const txid = txidOf(raw)
    return { raw, outpoint: { txid, vout }, at: `${txid}:${vout}` }
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

  function own(account: number, amount: bigint, holdings: readonly Holding[] = []): Coin {
    const { addressType, publicKey } = accountAt(accounts, account)
    const { script, fields, signed, open, scriptSig } = ownLock(addressType, publicKey)
    const claim = { amount, script }
    return keep({
      ...draw(script, amount),
      ...{ amount, script, owner: 'own', kind: addressType, account, signed, open },
      ...{ reveals: false, shows: [], scriptSig, fields, holdings, claim, isKnown: true },
    })
  }

  function shared(
    kind: SharedKind,
    account: number,
    amount: bigint,
    holdings: readonly Holding[] = [],
  ) {
    const { publicKey } = accountAt(accounts, account)
    const { script, fields, signed, open, scriptSig } = sharedLock(kind, publicKey)
    const claim = { amount, script }
    const reveals = open && script[0] === 0x51
    // The untweaked key is the wallet's alone.
    const owner = kind === 'raw-p2tr' ? 'own' : 'shared'
    return keep({
      ...draw(script, amount),
      ...{ amount, script, owner, kind, account, signed, open, reveals },
      ...{ shows: 'leaf' in signed && signed.leaf && !open ? leafWitness(signed.leaf) : [] },
      ...{ scriptSig, fields, holdings, claim, isKnown: true },
    })
  }

  /** A lie is possible where the server does not know the coin, or is not asked. */
  function foreign(
    lock: Lock,
    amount: bigint,
    {
      holdings = [],
      lie,
      known = !lie,
    }: { holdings?: readonly Holding[]; lie?: Lie; known?: boolean } = {},
  ): Coin {
    const { script, fields, scriptSig } = foreignLock(lock)
    const claim = { amount: lie?.amount ?? amount, script: lie?.script ?? script }
    return keep({
      ...draw(script, amount),
      ...{ amount, script, owner: 'foreign', kind: lock, account: null, signed: null, open: true },
      ...{
        reveals: /^(p2tr|leaf)$/.test(lock),
        shows: [],
        scriptSig,
        claim,
        holdings,
        isKnown: known,
      },
      fields: lie?.script ? {} : fields,
    })
  }

  /** An own coin that this transaction made, which is in a block. */
  function made(
    account: number,
    raw: Uint8Array,
    vout: number,
    amount: bigint,
    holdings: readonly Holding[],
  ): Coin {
    const { addressType, publicKey } = accountAt(accounts, account)
    const { script, fields, signed, open, scriptSig } = ownLock(addressType, publicKey)
    return keep({
      ...lay(raw, vout),
      ...{ amount, script, owner: 'own', kind: addressType, account, signed, open },
      ...{ reveals: false, shows: [], scriptSig, fields, holdings },
      ...{ claim: { amount, script }, isKnown: true },
    })
  }

  return {
    own,
    shared,
    foreign,
    made,
    drawHex,
    /** All that was made, in order. */
    minted,
    /** An own coin that a transaction of a request makes; no server knows of it. */
    future(account: number, outpoint: Coin['outpoint'], amount: bigint): Coin {
      const { addressType, publicKey } = accountAt(accounts, account)
      const { script, fields, signed, open, scriptSig } = ownLock(addressType, publicKey)
      return {
        ...{ outpoint, at: `${outpoint.txid}:${outpoint.vout}`, raw: null, amount, script },
        ...{ owner: 'own', kind: addressType, account, signed, open, scriptSig },
        ...{ reveals: false, shows: [] },
        ...{ fields, holdings: [], claim: { amount, script }, isKnown: false },
      }
    },
    /** An index that keeps spent outputs tells of none that something is on them. */
    empty({ at }: Coin): void {
      world.assets.lie(at, { known: true, assets: [] })
      world.atomicals.lie(at, { known: true, assets: [] })
    },
    /** A coin of the attacker's of which nobody was told. */
    secret(lock: Lock, amount: bigint, holdings: readonly Holding[]): Coin {
      const { script, fields, scriptSig } = foreignLock(lock)
      const outpoint = { txid: drawHex(), vout: 0 }
      return {
        ...{ outpoint, at: `${outpoint.txid}:0`, raw: new Uint8Array(), amount, script },
        ...{ owner: 'foreign', kind: lock, account: null, signed: null, open: true, scriptSig },
        ...{ reveals: lock === 'p2tr', shows: [], fields, holdings },
        ...{ claim: { amount, script }, isKnown: false },
      }
    },
    inscription: (offset: bigint): Holding => ({
      kind: 'inscription',
      key: `${drawHex()}i0`,
      offset,
    }),
    rune(amount: bigint): Holding {
      const name = Array.from({ length: 14 }, () => String.fromCharCode(65 + random(26))).join('')
      return {
        kind: 'rune',
        key: name,
        rune: `${BigInt(60 + ++count)}:${BigInt(1 + random(9))}`,
        amount,
      }
    },
    nft: (): Holding => ({ kind: 'nft', key: `${drawHex()}i0`, amount: 1n }),
    ft: (amount: bigint): Holding => ({ kind: 'ft', key: `${drawHex()}i0`, amount }),
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

export function txidOf(raw: Uint8Array): string {
  return toHex(sha256(sha256(raw)).reverse())
}
