import { schnorr } from '@noble/curves/secp256k1.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { Address, OutScript, p2wpkh, SigHash, TEST_NETWORK, Transaction } from '@scure/btc-signer'
import { Verifier } from 'bip322-js'
import type { Devnet } from '../src/devnet/start-devnet.ts'
import { createClient } from '../src/devnet/testing/devnet-client.ts'
import { createTestWallet } from '../src/devnet/testing/test-wallet.ts'
import { mintPicture, openAtomicals } from './ordinals/devnet-atomicals.ts'
import { ensureToken, spellBrc20 } from './ordinals/devnet-brc20.ts'
import { type Coin, fetchCoins, type Owner, REGTEST, scriptsOf } from './psbt/coins.ts'
import { draftChain } from './psbt/deals.ts'
import { draft, parseDraft, spend } from './psbt/draft.ts'

/** Somebody whose key is known, on devnet only. */
const STRANGER = createTestWallet('a stranger to every wallet that is tested')
const PAYEE = STRANGER.address
const PAID_SATS = 25_000n
/** Coins that only PSBTs of the kit spend, by their sats, and how many; the wallet has others to pay with. */
const PSBT_SATS = 200_000n
const PSBT_COINS = 32
const STRANGERS_SATS = 60_000n
const WALLET_COINS = Array<bigint>(10).fill(1_000_000n)
/** More than a page of them, and no more than one commit can have. */
const INSCRIPTIONS = 23
const ATOMICALS = 3

type Fields = { [name: string]: string | string[] | undefined }

const ROUTES: { [name: string]: (fields: Fields, devnet: () => Devnet) => Promise<object> } = {
  prepare: async (fields, devnet) => prepare(readOwner(fields), devnet()),
  psbt: async (fields, devnet) => {
    const used = Array.isArray(fields.used) ? fields.used : []
    return makePsbts(String(fields.kind), readOwner(fields), used, devnet())
  },
  'read-psbt': async ({ psbt }) => readPsbt(String(psbt)),
  finalize: async ({ psbt }) => {
    const transaction = parseDraft(String(psbt))
    if (!transaction.isFinal) transaction.finalize()
    return { hex: bytesToHex(transaction.extract()) }
  },
  'read-transaction': async ({ hex }) => readTransaction(String(hex)),
  'verify-message': async fields => ({ valid: verifyMessage(fields) }),
}

/** What the conformance page asks its server for, by the name of the route; throws an Error that says what is missing. */
export async function answerConformance(
  name: string,
  body: string,
  own: Devnet | undefined,
): Promise<object> {
  if (name === 'devnet') return { url: own?.url ?? null }
  const route = Object.hasOwn(ROUTES, name) ? ROUTES[name] : undefined
  if (!route) throw new Error(`There is no route ${name}`)
  const fields = JSON.parse(body) as Fields
  return route(fields, () => {
    const devnet = own ?? (fields.devnet ? reachDevnet(String(fields.devnet)) : undefined)
    if (!devnet) throw new Error('This page has no devnet')
    return devnet
  })
}

/** A devnet that runs in another process of this machine. */
function reachDevnet(given: string): Devnet {
  const { origin: url, hostname } = new URL(given)
  if (hostname !== '127.0.0.1' && hostname !== 'localhost')
    throw new Error('Only a devnet of this machine is used')
  const post = async (path: string, fields: object) => {
    const body = JSON.stringify(fields)
    const answer = await fetch(`${url}/devnet/${path}`, { method: 'POST', body })
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const never = async () => {
    throw new Error('A devnet of another process does not do this')
  }
  return {
    url,
    esploraUrl: `${url}/api`,
    websocketUrl: `${url.replace('http', 'ws')}/api/v1/ws`,
    ordUrl: `${url}/ord`,
    opiUrl: `${url}/opi`,
    unisatUrl: `${url}/unisat`,
    atomicalsUrl: `${url}/atomicals/proxy`,
    faucet: async (address, sats, confirm = true) =>
      (await post('faucet', { address, sats: Number(sats), confirm })).txid,
    mine: async (blocks = 1) => (await post('mine', { blocks })).hashes,
    reorg: never,
    rpc: never,
    stop: never,
  }
}

/** Coins, inscriptions, Atomicals and tokens for an account, in as few blocks as can be. */
async function prepare(owner: Owner, devnet: Devnet) {
  const tick = await ensureToken(devnet)
  const { address } = owner
  const scripts = { own: scriptsOf(owner).script, untweaked: untweakedScript(owner) }
  const outputs = [
    ...WALLET_COINS.map(value => ({ script: scripts.own, value })),
    ...Array(PSBT_COINS).fill({ script: scripts.own, value: PSBT_SATS }),
    ...Array(4).fill({ script: scripts.untweaked, value: PSBT_SATS }),
    ...Array(6).fill({ script: STRANGER.script, value: STRANGERS_SATS }),
  ]
  const client = createClient(devnet)
  const total = outputs.reduce((sum, { value }) => sum + value, 20_000n)
  const coin = await client.fund(STRANGER, total, false)
  const funding = STRANGER.spend([coin], outputs)
  const answer = await client.broadcast(funding.toHex())
  if (answer !== funding.getId()) throw new Error(answer)

  const order = { address, items: listItems(tick) }
  const { status, body } = await client.post('/devnet/inscribe', order)
  if (status !== 200) throw new Error(body)
  const [, ...inscriptions] = (JSON.parse(body) as { ids: string[] }).ids
  await devnet.mine()
  const atomicals: string[] = []
  for (let seed = 1; seed <= ATOMICALS; seed++) {
    const { id } = await mintPicture(openAtomicals(devnet, address), (Date.now() % 2 ** 31) + seed)
    atomicals.push(`${id}-Atomicals`)
  }
  return { inscriptions, atomicals, tick, stranger: PAYEE }
}

/** A mint of the token, and texts. */
function listItems(tick: string) {
  const texts = Array.from({ length: INSCRIPTIONS - 1 }, (_, at) => ({ body: `Number ${at + 1}` }))
  const items = [{ body: spellBrc20({ op: 'mint', tick, amt: '1000' }) }, ...texts]
  return items.map(item => ({ contentType: 'text/plain;charset=utf-8', ...item }))
}

async function makePsbts(kind: string, owner: Owner, used: readonly string[], devnet: Devnet) {
  const isFree = (coin: Coin) => !used.includes(outpointOf(coin))
  const list = async (of: Owner, sats: bigint, count: number) => {
    const coins = await fetchCoins(devnet.esploraUrl, of)
    const free = coins.filter(coin => coin.sats === sats && isFree(coin)).slice(0, count)
    if (free.length < count) throw new Error('The coins for PSBTs are used up: run it once more')
    return free as [Coin, ...Coin[]]
  }
  const own = (count: number) => list(owner, PSBT_SATS, count)
  const made = (psbts: string[], coins: readonly Coin[]) => ({
    psbts,
    spends: coins.map(outpointOf),
  })

  if (kind === 'pay' || kind === 'pay-all') {
    const coins = await own(1)
    const change = PSBT_SATS - PAID_SATS - 500n
    const sighash = kind === 'pay-all' ? { sighashType: SigHash.ALL } : {}
    const outputs = [
      { address: PAYEE, sats: PAID_SATS },
      { address: owner.address, sats: change },
    ]
    return made([draft([spend(coins[0], sighash)], outputs)], coins)
  }
  if (kind === 'chain') {
    const coins = await own(1)
    return made(draftChain(coins[0], PAYEE, PAID_SATS), coins)
  }
  if (kind === 'mixed') {
    const coins = await own(2)
    const [foreign] = await list(strangerAsOwner(), STRANGERS_SATS, 1)
    const [first, second] = coins
    if (!second) throw new Error('There is no second coin')
    const outputs = [
      { address: PAYEE, sats: PAID_SATS },
      { address: owner.address, sats: PSBT_SATS * 2n - PAID_SATS - 500n },
      { address: foreign.owner.address, sats: STRANGERS_SATS - 500n },
    ]
    return made(
      [draft([spend(first), spend(foreign), spend(second)], outputs)],
      [...coins, foreign],
    )
  }
  if (kind === 'pay-untweaked') return makeUntweaked(owner, isFree, devnet)
  if (kind === 'bogus') return made([makeBogus()], [])
  throw new Error(`There is no kind ${kind}`)
}

/** Spends an output of the account's public key as it is, without the tweak of BIP-86. */
async function makeUntweaked(owner: Owner, isFree: (coin: Coin) => boolean, devnet: Devnet) {
  if (scriptsOf(owner).type !== 'tr') throw new Error('Only a Taproot account has a tweak')
  const script = untweakedScript(owner)
  const address = Address(REGTEST).encode(OutScript.decode(script))
  const coins = await fetchCoins(devnet.esploraUrl, { address, publicKey: owner.publicKey })
  const coin = coins.find(isFree)
  if (!coin) throw new Error('The coins for PSBTs are used up: run it once more')
  // Without an internal key: this library refuses one that the output has no tweak of.
  const { tapInternalKey: _, ...input } = spend(coin)
  input.witnessUtxo = { script, amount: coin.sats }
  const outputs = [{ address: PAYEE, sats: coin.sats - 500n }]
  return { psbts: [draft([input], outputs)], spends: [outpointOf(coin)] }
}

/** A transaction with a signature, of a coin that there has never been. */
function makeBogus(): string {
  const coin = { txid: '77'.repeat(32), vout: 0, value: 10_000n }
  return STRANGER.spend([coin], [{ script: STRANGER.script, value: 9_000n }]).toHex()
}

function readPsbt(psbt: string) {
  const transaction = parseDraft(psbt)
  const indexes = Array.from({ length: transaction.inputsLength }, (_, index) => index)
  const prevouts = indexes.map(index => {
    const { witnessUtxo } = transaction.getInput(index)
    return { script: witnessUtxo?.script ?? new Uint8Array(), amount: witnessUtxo?.amount ?? 0n }
  })
  const inputs = indexes.map(index => {
    const { finalScriptWitness, finalScriptSig, tapKeySig, partialSig } =
      transaction.getInput(index)
    const isFinal = Boolean(finalScriptWitness?.length || finalScriptSig?.length)
    const [first] = finalScriptWitness ?? []
    const signature = tapKeySig ?? partialSig?.[0]?.[1] ?? first ?? null
    const state = isFinal ? 'final' : signature ? 'signed' : 'unsigned'
    if (!signature) return { state, sighash: null, valid: null }
    const isSchnorr = signature.length === 64 || signature.length === 65
    const sighash = isSchnorr ? (signature[64] ?? 0) : (signature.at(-1) ?? 0)
    const { script } = prevouts[index] ?? {}
    const isTaproot = isSchnorr && script?.length === 34 && script[0] === 0x51
    if (!script || !isTaproot) return { state, sighash, valid: null }
    const digest = transaction.preimageWitnessV1(
      index,
      prevouts.map(prevout => prevout.script),
      sighash,
      prevouts.map(({ amount }) => amount),
    )
    const valid = schnorr.verify(signature.slice(0, 64), digest, script.slice(2))
    return { state, sighash, valid }
  })
  return { txid: transaction.id, inputs }
}

function readTransaction(hex: string) {
  const transaction = Transaction.fromRaw(hexToBytes(hex), {
    allowUnknownInputs: true,
    allowUnknownOutputs: true,
  })
  const outputs = Array.from({ length: transaction.outputsLength }, (_, vout) => {
    const { script, amount = 0n } = transaction.getOutput(vout)
    const address = script ? Address(REGTEST).encode(OutScript.decode(script)) : null
    return { sats: Number(amount), address }
  })
  return { txid: transaction.id, outputs }
}

/** Null where the library knows no such address. */
function verifyMessage({ message, address, publicKey, signature }: Fields): boolean | null {
  const owner = { address: String(address), publicKey: String(publicKey) }
  try {
    const known = spellForTestnet(owner)
    return Verifier.verifySignature(known, String(message), String(signature))
  } catch (error) {
    return error instanceof Error && error.message.includes('Invalid Bitcoin address')
      ? null
      : false
  }
}

/** The library does not know regtest: the same output as testnet writes it. */
export function spellForTestnet({ address }: Owner): string {
  if (!address.startsWith('bcrt1')) return address
  return Address(TEST_NETWORK).encode(Address(REGTEST).decode(address))
}

function readOwner({ address, publicKey }: Fields): Owner {
  return { address: String(address), publicKey: String(publicKey) }
}

function untweakedScript({ publicKey }: Owner): Uint8Array {
  return Uint8Array.of(0x51, 32, ...hexToBytes(publicKey).slice(-32))
}

function strangerAsOwner(): Owner {
  const { address = '' } = p2wpkh(STRANGER.publicKey, REGTEST)
  return { address, publicKey: bytesToHex(STRANGER.publicKey) }
}

function outpointOf({ txid, vout }: Coin): string {
  return `${txid}:${vout}`
}
