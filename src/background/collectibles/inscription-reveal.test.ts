import {
  NETWORK,
  OutScript,
  p2ms,
  p2pkh,
  p2tr,
  p2wpkh,
  p2wsh,
  TaprootControlBlock,
} from '@scure/btc-signer'
import { crypto, Transaction } from 'bitcoinjs-lib'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseAddress } from '../../bitcoin/address.ts'
import { equalBytes, fromHex, toUtf8 } from '../../bitcoin/bytes.ts'
import { decodeTransaction } from '../../bitcoin/transaction.ts'
import type { InscriptionId } from '../../ordinals/inscription-id.ts'
import { buildInscriptionLeaf } from '../../ordinals/inscriptions/envelope-script.ts'
import { selectedAccount } from '../testing/funded-wallet.ts'
import { createWorld, startUnlocked, type World } from '../testing/test-wallet.ts'
import { fetchReveal } from './inscription-reveal.ts'
import { createTransactionLookup } from './transaction-lookup.ts'

/** What an input spends and how, so far as it matters here: nothing checks signatures. */
type Spend = { scriptPubKey: Uint8Array; scriptSig?: Uint8Array; witness?: Uint8Array[] }

const KEY = fromHex('02f9308a019258c31049344f85f89d5229b531c845836f99b08601f113bce036f9')
const X_ONLY = KEY.subarray(1)
const SIGNATURE = new Uint8Array(64)

let world: World

beforeEach(() => {
  world = createWorld()
})

/** Spends a taproot output that commits to an inscription of each text, by its script path; to `beside` as another leaf, too. */
function reveal(texts: readonly string[], beside?: string): Spend {
  const leaf = (some: readonly string[]) => ({
    script: buildInscriptionLeaf(
      X_ONLY,
      some.map(text => ({ contentType: 'text/plain', body: toUtf8(text) })),
    ),
  })
  const { script } = leaf(texts)
  const tree = beside === undefined ? { script } : [{ script }, leaf([beside])]
  const output = p2tr(X_ONLY, tree, NETWORK, true)
  // Behind each script is its version.
  const [controlBlock] =
    output.tapLeafScript?.find(([, versioned]) => equalBytes(versioned.slice(0, -1), script)) ?? []
  if (!controlBlock) throw new Error('No leaf')
  const witness = [SIGNATURE, script, TaprootControlBlock.encode(controlBlock)]
  return { scriptPubKey: output.script, witness }
}

/** Puts a transaction into a block that spends these; resolves its txid. */
function spend(spends: readonly Spend[]): string {
  const funding = new Transaction()
  funding.addInput(globalThis.crypto.getRandomValues(new Uint8Array(32)), 0)
  for (const { scriptPubKey } of spends) funding.addOutput(scriptPubKey, 10_000n)
  world.chain.add(Uint8Array.from(funding.toBuffer()))
  const transaction = new Transaction()
  for (const [vout, { scriptSig, witness }] of spends.entries()) {
    transaction.addInput(funding.getHash(), vout, undefined, scriptSig)
    transaction.setWitness(vout, witness ?? [])
  }
  transaction.addOutput(p2wpkh(KEY).script, 9_000n)
  return world.chain.add(Uint8Array.from(transaction.toBuffer()))
}

/** Lets the chain server show another witness for an input, as it can without changing the txid. */
function show(txid: string, input: number, witness: Uint8Array[]): void {
  const transaction = decodeTransaction(world.chain.get(txid) ?? new Uint8Array())
  transaction.setWitness(input, witness)
  world.chain.rewrite(Uint8Array.from(transaction.toBuffer()))
}

async function read(id: InscriptionId, ownScripts: readonly Uint8Array[] = []) {
  const lookup = createTransactionLookup(world.chain.chain, () => world.clock.now)
  const found = await fetchReveal(lookup, id, ownScripts)
  const text = new TextDecoder().decode(found?.envelope.fields.body ?? KEY)
  return found && { text, covered: found.covered }
}

const push = (script: Uint8Array) => Uint8Array.of(script.length, ...script)
const multisig = p2ms(1, [KEY])
const keyPath = { scriptPubKey: p2tr(X_ONLY).script, witness: [SIGNATURE] }
const nested = (redeemScript: Uint8Array): Spend => ({
  scriptPubKey: OutScript.encode({ type: 'sh', hash: crypto.hash160(redeemScript) }),
  scriptSig: push(redeemScript),
})

describe('a reveal with another input', () => {
  it('proves nothing when the chain server can keep an envelope of an earlier input back', async () => {
    const txid = spend([reveal(['first']), reveal(['other'])])
    expect((await read(`${txid}i0`))?.text).toBe('first')
    for (const hidden of [[SIGNATURE], [], [SIGNATURE, toUtf8('no envelope'), KEY]]) {
      show(txid, 0, hidden)
      expect(await read(`${txid}i0`)).toEqual({ text: 'other', covered: false })
    }
  })

  it('proves nothing when the chain server can invent an envelope of an earlier input', async () => {
    const txid = spend([{ scriptPubKey: p2pkh(KEY).script }, reveal(['first', 'second'])])
    expect(await read(`${txid}i0`)).toEqual({ text: 'first', covered: true })
    expect(await read(`${txid}i1`)).toEqual({ text: 'second', covered: true })
    show(txid, 0, reveal(['invented']).witness ?? [])
    expect(await read(`${txid}i0`)).toEqual({ text: 'invented', covered: false })
    expect(await read(`${txid}i1`)).toEqual({ text: 'first', covered: false })
  })

  it('proves nothing when that one may hold the envelope, and the key was used for this one', async () => {
    const txid = spend([{ ...reveal(['taken back']), witness: [SIGNATURE] }, reveal(['revealed'])])
    expect((await read(`${txid}i0`))?.text).toBe('revealed')
    show(txid, 0, reveal(['taken back']).witness ?? [])
    show(txid, 1, [SIGNATURE])
    expect(await read(`${txid}i0`)).toEqual({ text: 'taken back', covered: false })
  })

  it.each<[string, Spend]>([
    ['P2PKH', { scriptPubKey: p2pkh(KEY).script }],
    ['P2WPKH', { scriptPubKey: p2wpkh(KEY).script, witness: [SIGNATURE, KEY] }],
    ['P2SH-P2WPKH', nested(p2wpkh(KEY).script)],
    ['P2SH of multisig', nested(multisig.script)],
    ['P2SH of a number', { ...nested(Uint8Array.of(0x51)), scriptSig: Uint8Array.of(0x51, 0x51) }],
    ['bare multisig', { scriptPubKey: multisig.script }],
    ['a bare number', { scriptPubKey: Uint8Array.of(0x51) }],
  ])('is proven when that one spends %s, which has no script in its witness', async (_, other) => {
    for (const inputs of [
      [other, reveal(['true'])],
      [reveal(['true']), other],
    ])
      expect(await read(`${spend(inputs)}i0`)).toEqual({ text: 'true', covered: true })
  })

  it.each<[string, Spend]>([
    ['P2TR', keyPath],
    ['P2WSH', { scriptPubKey: p2wsh(multisig).script }],
    ['P2SH-P2WSH', nested(p2wsh(multisig).script)],
    ['P2SH of a taproot program', nested(keyPath.scriptPubKey)],
    ['P2A', { scriptPubKey: OutScript.encode({ type: 'p2a', script: fromHex('51024e73') }) }],
    ['a later witness version', { scriptPubKey: fromHex('6002beef') }],
    ['P2SH by a damaged script', { ...nested(multisig.script), scriptSig: Uint8Array.of(75) }],
  ])('is not proven when that one spends %s, which may hold an envelope', async (_, other) => {
    for (const inputs of [
      [other, reveal(['true'])],
      [reveal(['true']), other],
    ])
      expect(await read(`${spend(inputs)}i0`)).toEqual({ text: 'true', covered: false })
  })

  it('is proven when that one spends taproot of this wallet, which has no scripts', async () => {
    const txid = spend([keyPath, reveal(['true'])])
    expect(await read(`${txid}i0`, [keyPath.scriptPubKey])).toEqual({ text: 'true', covered: true })
  })
})

describe('a reveal whose output commits to other scripts, too', () => {
  it('proves nothing: the chain server can show another one than was used', async () => {
    const txid = spend([reveal(['used'], 'other')])
    expect(await read(`${txid}i0`)).toEqual({ text: 'used', covered: false })
    show(txid, 0, reveal(['other'], 'used').witness ?? [])
    expect(await read(`${txid}i0`)).toEqual({ text: 'other', covered: false })
  })
})

describe('an inscription that the chain server renumbers', () => {
  it('is only the index’s word, and shown as the index serves it', async () => {
    const worker = await startUnlocked(world)
    const { scriptPubKey } = parseAddress((await selectedAccount(worker)).address, 'regtest')
    const txid = spend([keyPath, reveal(['lies!'])])
    const paying = new Transaction()
    paying.addInput(fromHex(txid).reverse(), 0)
    paying.addOutput(scriptPubKey, 8_000n)
    const outpoint = `${world.chain.add(Uint8Array.from(paying.toBuffer()))}:0`
    const id = `${txid}i0`
    const facts = { contentType: 'text/plain', body: 'truth' }
    world.assets.inscribe(outpoint, { ...facts, id, real: false })
    expect(await worker.ui('getInscription', { id })).toMatchObject({ proof: 'server' })
    const content = await worker.ui('getInscriptionContent', { id, preview: false })
    expect(content).toEqual({ kind: 'text', text: 'truth', cut: false })
  })
})
