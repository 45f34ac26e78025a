import { script as bitcoinScript } from 'bitcoinjs-lib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TransactionJson } from '../esplora/shapes.ts'
import type { PackageJson, TestJson } from '../mempool/package.ts'
import { type Devnet, startDevnet } from '../start-devnet.ts'
import { type Client, createClient } from '../testing/devnet-client.ts'
import { buildInscription } from '../testing/inscription.ts'
import { coinOf, createTestWallet } from '../testing/test-wallet.ts'

let devnet: Devnet
let client: Client
const wallet = createTestWallet('inscription tests')

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterAll(() => devnet?.stop())

async function commitTo(body: Uint8Array, value: bigint) {
  const inscription = buildInscription(wallet, 'text/plain;charset=utf-8', body)
  const coin = await client.fund(wallet, value + 10_000n)
  const commit = wallet.spend([coin], [{ script: inscription.commitScript, value }])
  return { inscription, commit }
}

describe('an inscription', () => {
  it('is accepted as commit and reveal, unconfirmed, and mined into one block', async () => {
    const body = new TextEncoder().encode('Hello, devnet')
    const { inscription, commit } = await commitTo(body, 20_000n)
    const reveal = inscription.reveal(commit, 0, [{ script: wallet.script, value: 546n }])
    expect(await client.broadcast(commit.toHex())).toBe(commit.getId())
    expect(await client.broadcast(reveal.toHex())).toBe(reveal.getId())
    const [hash = ''] = await devnet.mine(1)
    const { tx } = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
    expect(tx.slice(1)).toEqual([commit.getId(), reveal.getId()])
    const json = await client.getJson<TransactionJson>(`/api/tx/${reveal.getId()}`)
    expect(json.vin[0]?.inner_witnessscript_asm).toContain(
      'OP_CHECKSIG OP_0 OP_IF OP_PUSHBYTES_3 6f7264 OP_PUSHBYTES_1 01 OP_PUSHBYTES_24',
    )
  })

  it('of 380 kB fits the weight limit, one of 400 kB does not', async () => {
    const large = await commitTo(new Uint8Array(380_000).fill(0x61), 200_000n)
    await client.broadcast(large.commit.toHex())
    const reveal = large.inscription.reveal(large.commit, 0, [
      { script: wallet.script, value: 546n },
    ])
    expect(await client.broadcast(reveal.toHex())).toBe(reveal.getId())
    await devnet.mine(1)
    expect(await client.getJson(`/api/tx/${reveal.getId()}/status`)).toMatchObject({
      confirmed: true,
    })
    const larger = await commitTo(new Uint8Array(400_000).fill(0x61), 200_000n)
    await client.broadcast(larger.commit.toHex())
    const refused = larger.inscription.reveal(larger.commit, 0, [
      { script: wallet.script, value: 546n },
    ])
    expect(await client.broadcast(refused.toHex())).toContain('"message":"tx-size"')
  })

  it('with a forged signature is refused by the block validation of the node', async () => {
    const { inscription, commit } = await commitTo(new Uint8Array(10), 20_000n)
    await client.broadcast(commit.toHex())
    const reveal = inscription.reveal(commit, 0, [{ script: wallet.script, value: 546n }])
    reveal.locktime = 1
    const refusal = await client.broadcast(reveal.toHex())
    expect(refusal).toMatch(
      /"code":-26,"message":".*script-verify-flag-failed \(Invalid Schnorr signature\)/,
    )
    expect(await client.getJson<string[]>('/api/mempool/txids')).not.toContain(reveal.getId())
  })

  it('is refused when the leaf was not committed to', async () => {
    const { commit } = await commitTo(new Uint8Array(10), 20_000n)
    await client.broadcast(commit.toHex())
    const other = buildInscription(wallet, 'text/plain', new Uint8Array(11))
    const reveal = other.reveal(commit, 0, [{ script: wallet.script, value: 546n }])
    expect(await client.broadcast(reveal.toHex())).toContain('Witness program hash mismatch')
  })

  it('leaves the pool with its commit, when that is replaced', async () => {
    const inscription = buildInscription(wallet, 'text/plain', new Uint8Array(10))
    const coin = await client.fund(wallet, 50_000n)
    const commit = wallet.spend([coin], [{ script: inscription.commitScript, value: 49_000n }])
    const reveal = inscription.reveal(commit, 0, [{ script: wallet.script, value: 48_000n }])
    await client.broadcast(commit.toHex())
    await client.broadcast(reveal.toHex())
    const replacement = wallet.spend([coin], [{ script: wallet.script, value: 40_000n }])
    expect(await client.broadcast(replacement.toHex())).toBe(replacement.getId())
    const txids = await client.getJson<string[]>('/api/mempool/txids')
    expect(txids).toContain(replacement.getId())
    expect(txids).not.toContain(commit.getId())
    expect(txids).not.toContain(reveal.getId())
  })
})

describe('a large OP_RETURN', () => {
  it('is accepted up to the weight limit, as by Bitcoin Core since version 30', async () => {
    const coin = await client.fund(wallet, 200_000n)
    const carry = (length: number) => {
      const script = bitcoinScript.compile([0x6a, new Uint8Array(length).fill(1)])
      return wallet.spend([coin], [{ script: Uint8Array.from(script), value: 0n }])
    }
    expect(await client.broadcast(carry(100_000).toHex())).toContain('"message":"tx-size"')
    const tx = carry(99_800)
    expect(await client.broadcast(tx.toHex())).toBe(tx.getId())
    await devnet.mine(1)
    expect(await client.getJson(`/api/tx/${tx.getId()}/status`)).toMatchObject({ confirmed: true })
  })
})

describe('a package', () => {
  const submit = async (path: string, hexes: string[]) => {
    const { status, body } = await client.post(path, hexes)
    expect(status).toBe(200)
    return JSON.parse(body)
  }

  it('is taken together: a reveal pays for a commit below the relay floor', async () => {
    const inscription = buildInscription(wallet, 'text/plain', new Uint8Array(10))
    const coin = await client.fund(wallet, 50_000n)
    const commit = wallet.spend([coin], [{ script: inscription.commitScript, value: 50_000n }])
    const reveal = inscription.reveal(commit, 0, [{ script: wallet.script, value: 40_000n }])
    expect(await client.broadcast(commit.toHex())).toContain('min relay fee not met, 0 < 13')
    const hexes = [commit.toHex(), reveal.toHex()]
    const result: PackageJson = await submit('/api/txs/package', hexes)
    expect(result.package_msg).toBe('success')
    const results = Object.values(result['tx-results'])
    expect(results.map(({ txid }) => txid)).toEqual([commit.getId(), reveal.getId()])
    expect(results[0]?.fees?.base).toBe(0)
    expect(results[1]?.fees?.base).toBe(0.0001)
    const [hash = ''] = await devnet.mine(1)
    const { tx } = await devnet.rpc<{ tx: string[] }>('getblock', [hash])
    expect(tx).toEqual(expect.arrayContaining([commit.getId(), reveal.getId()]))
  })

  it('is refused whole when it pays too little or a part is invalid', async () => {
    const coin = await client.fund(wallet, 50_000n)
    const parent = wallet.spend([coin], [{ script: wallet.script, value: 50_000n }])
    const poor = wallet.spend([coinOf(parent, 0)], [{ script: wallet.script, value: 49_990n }])
    const result: PackageJson = await submit('/api/v1/txs/package', [parent.toHex(), poor.toHex()])
    expect(result.package_msg).toBe('transaction failed')
    const invalid = wallet.spend([coinOf(parent, 0)], [{ script: wallet.script, value: 40_000n }])
    invalid.locktime = 1
    const other: PackageJson = await submit('/api/txs/package', [parent.toHex(), invalid.toHex()])
    expect(other.package_msg).toBe('transaction failed')
    expect(JSON.stringify(other)).toContain('script-verify-flag-failed')
    expect(await client.getJson<string[]>('/api/mempool/txids')).not.toContain(parent.getId())
  })

  it('is only tried out by /txs/test', async () => {
    const coin = await client.fund(wallet, 50_000n)
    const parent = wallet.spend([coin], [{ script: wallet.script, value: 49_000n }])
    const child = wallet.spend([coinOf(parent, 0)], [{ script: wallet.script, value: 48_000n }])
    const result: TestJson[] = await submit('/api/txs/test', [parent.toHex(), child.toHex()])
    expect(result.map(({ allowed }) => allowed)).toEqual([true, true])
    expect(await client.getJson<string[]>('/api/mempool/txids')).not.toContain(parent.getId())
    expect(await client.broadcast(child.toHex())).toContain('bad-txns-inputs-missingorspent')
  })
})
