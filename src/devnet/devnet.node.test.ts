import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import type { TransactionJson, UtxoJson } from './esplora/shapes.ts'
import { type Devnet, startDevnet } from './start-devnet.ts'
import { type Client, createClient } from './testing/devnet-client.ts'
import { createTestWallet } from './testing/test-wallet.ts'

let devnet: Devnet
let client: Client

beforeAll(async () => {
  devnet = await startDevnet()
  client = createClient(devnet)
})
afterEach(() => client.post('/devnet/faults/clear', {}))
afterAll(() => devnet?.stop())

describe('the faucet', () => {
  it('pays confirmed coins, or unconfirmed ones, as often as it is asked', async () => {
    const { address } = createTestWallet('faucet')
    await Promise.all(Array.from({ length: 40 }, () => devnet.faucet(address, 10_000n, false)))
    const { body } = await client.post('/devnet/faucet', { address, sats: 123_456 })
    const { txid } = JSON.parse(body)
    const utxos = await client.getJson<UtxoJson[]>(`/api/address/${address}/utxo`)
    expect(utxos).toHaveLength(41)
    expect(utxos.every(({ status }) => status.confirmed)).toBe(true)
    expect(utxos.find(utxo => utxo.txid === txid)?.value).toBe(123_456)
  })

  it('joins its coins for a payment that is larger than any of them', async () => {
    const { address } = createTestWallet('large payment')
    const txid = await devnet.faucet(address, 12_000_000_000n)
    const { vin } = await client.getJson<TransactionJson>(`/api/tx/${txid}`)
    expect(vin.length).toBeGreaterThan(2)
  })

  it.each([
    [{ sats: 1 }, /^address: /],
    [{ address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', sats: 1000 }, /^address: /],
    [{ address: createTestWallet('x').address }, /^sats: /],
    [{ address: createTestWallet('x').address, sats: 0.5 }, /^sats: /],
    [{ address: createTestWallet('x').address, sats: 1000, confirm: 1 }, /^confirm: /],
    [{ address: createTestWallet('x').address, sats: 100 }, /^dust/],
    [{ address: createTestWallet('x').address, sats: 9_000_000_000_000 }, /^the faucet holds/],
  ])('names what is wrong with %j', async (request, words) => {
    const { status, body } = await client.post('/devnet/faucet', request)
    expect(status).toBe(400)
    expect(body).toMatch(words)
  })
})

describe('the clock', () => {
  it('stands still where it is set, moves ahead, and gives blocks its time', async () => {
    const { time: now } = await client.getJson<{ time: number }>('/devnet/clock')
    await client.post('/devnet/clock', { time: now + 5000 })
    const { body } = await client.post('/devnet/clock', { advance: 86_400 })
    expect(JSON.parse(body)).toEqual({ time: now + 91_400 })
    const [hash = ''] = await devnet.mine(1)
    expect(await client.getJson(`/api/block/${hash}`)).toMatchObject({ timestamp: now + 91_400 })
    await client.post('/devnet/clock', { time: null })
    const { time } = await client.getJson<{ time: number }>('/devnet/clock')
    expect(Math.abs(time - now)).toBeLessThan(60)
  })
})

describe('a fault', () => {
  const tip = '/api/blocks/tip/height'
  const fault = async (fields: object) => {
    const { status, body } = await client.post('/devnet/faults', fields)
    expect(status, body).toBe(200)
  }

  it('answers a status and a body of its own, so many times, and counts', async () => {
    await fault({ endpoint: `GET ${tip}`, status: 429, body: 'slow down', times: 2 })
    for (let i = 0; i < 2; i++) {
      expect(await client.request(tip)).toMatchObject({ status: 429, body: 'slow down' })
    }
    expect((await client.request(tip)).status).toBe(200)
    expect(await client.getJson('/devnet/faults')).toEqual([])
    await fault({ endpoint: '/api/*', status: 503 })
    await client.request(tip)
    expect(await client.getJson('/devnet/faults')).toMatchObject([{ endpoint: '/api/*', hits: 1 }])
  })

  it('delays before handling, or between handling and answering', async () => {
    const wallet = createTestWallet('delayed')
    const coin = await client.fund(wallet, 50_000n)
    const tx = wallet.spend([coin], [{ script: wallet.script, value: 49_000n }])
    await fault({ endpoint: 'POST /api/tx', delayAnswer: 1500 })
    let isAnswered = false
    const sent = client.broadcast(tx.toHex()).then(answer => {
      isAnswered = true
      return answer
    })
    const listed = () => client.getJson<string[]>('/api/mempool/txids')
    await expect.poll(listed, { timeout: 1000 }).toContain(tx.getId())
    expect(isAnswered).toBe(false)
    expect(await sent).toBe(tx.getId())
    await client.post('/devnet/faults/clear', {})
    await fault({ endpoint: tip, delay: 300 })
    const started = performance.now()
    await client.request(tip)
    expect(performance.now() - started).toBeGreaterThan(290)
    await devnet.mine(1)
  })

  it('loses the answer to a request that was handled', async () => {
    const wallet = createTestWallet('lost answers')
    const spend = async () => {
      const coin = await client.fund(wallet, 50_000n)
      return wallet.spend([coin], [{ script: wallet.script, value: 49_000n }])
    }
    const dropped = await spend()
    await fault({ endpoint: 'POST /api/tx', drop: true, handle: true, times: 1 })
    await expect(client.broadcast(dropped.toHex())).rejects.toThrow()
    const failed = await spend()
    await fault({
      endpoint: 'POST /api/tx',
      status: 502,
      body: 'bad gateway',
      handle: true,
      times: 1,
    })
    expect(await client.broadcast(failed.toHex())).toBe('bad gateway')
    const refused = await spend()
    await fault({ endpoint: 'POST /api/tx', drop: true, times: 1 })
    await expect(client.broadcast(refused.toHex())).rejects.toThrow()
    const status = async (txid: string) => (await client.request(`/api/tx/${txid}`)).status
    expect(await status(dropped.getId())).toBe(200)
    expect(await status(failed.getId())).toBe(200)
    expect(await status(refused.getId())).toBe(404)
    await devnet.mine(1)
  })

  it('lies: other bodies, patched fields, half an answer', async () => {
    const { address } = createTestWallet('lies')
    const txid = await devnet.faucet(address, 10_000n)
    const path = `/api/address/${address}/utxo`
    await fault({
      endpoint: path,
      merge: { value: 99_999, status: { confirmed: false } },
      times: 1,
    })
    expect(await client.getJson(path)).toMatchObject([
      { txid, value: 99_999, status: { confirmed: false } },
    ])
    await fault({ endpoint: path, body: [], times: 1 })
    expect(await client.getJson(path)).toEqual([])
    await fault({ endpoint: path, truncate: true, times: 1 })
    await expect(client.getJson(path)).rejects.toThrow(SyntaxError)
    expect(await client.getJson(path)).toMatchObject([{ txid, value: 10_000 }])
  })

  it('answers as if the newest blocks had not arrived', async () => {
    const { address } = createTestWallet('stale')
    const before = Number((await client.request(tip)).body)
    const txid = await devnet.faucet(address, 10_000n)
    await devnet.mine(1)
    await fault({ endpoint: '/api/*', staleBlocks: 2 })
    expect((await client.request(tip)).body).toBe(String(before))
    expect(await client.getJson(`/api/tx/${txid}/status`)).toEqual({ confirmed: false })
    expect(await client.getJson(`/api/address/${address}/utxo`)).toMatchObject([
      { txid, status: { confirmed: false } },
    ])
    expect(await client.request(`/api/block-height/${before + 1}`)).toMatchObject({ status: 404 })
  })

  it('that is misspelt is refused with the name of the field', async () => {
    const refused = async (fields: object) => (await client.post('/devnet/faults', fields)).body
    expect(await refused({ endpoint: '/api/*', dealy: 5 })).toMatch(/^dealy: /)
    expect(await refused({ endpoint: '/api/*', delay: '5' })).toMatch(/^delay: /)
    expect(await refused({ delay: 5 })).toMatch(/^endpoint: /)
    expect(await refused({ endpoint: 'tx', delay: 5 })).toMatch(/^endpoint: /)
  })

  it('never hits the admin calls; requests are counted by route', async () => {
    await fault({ endpoint: '*', drop: true })
    await client.post('/devnet/faults/clear', {})
    await client.post('/devnet/hits/clear', {})
    await client.request(tip)
    await client.request(tip)
    expect(await client.getJson('/devnet/hits')).toEqual({ [`GET ${tip}`]: 2 })
  })
})

describe('the server', () => {
  it('lets pages of every origin in, preflight included', async () => {
    const { status, headers } = await client.request('/api/tx', {
      method: 'OPTIONS',
      headers: {
        origin: 'https://dapp.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('access-control-allow-methods')).toContain('POST')
    expect(headers.get('access-control-allow-headers')).toBe('content-type')
    const missing = await client.request('/api/nothing')
    expect(missing.status).toBe(404)
    expect(missing.headers.get('access-control-allow-origin')).toBe('*')
  })

  it('listens on 127.0.0.1 and nowhere else', async () => {
    for (const host of ['0.0.0.0', '::', 'localhost', '192.168.0.1']) {
      await expect(startDevnet({ host })).rejects.toThrow(`not on ${host}`)
    }
    const { port } = new URL(devnet.url)
    const others = Object.values(networkInterfaces())
      .flat()
      .flatMap(address =>
        address && !address.internal && address.family === 'IPv4' ? address.address : [],
      )
    for (const host of [...others, '127.0.0.2']) {
      await expect(fetch(`http://${host}:${port}/api/blocks/tip/height`)).rejects.toThrow()
    }
  })
})

describe('a data folder', () => {
  it('keeps chain and mempool from one run to the next', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'devnet-test-'))
    try {
      const { address } = createTestWallet('kept')
      const first = await startDevnet({ dataDir })
      const confirmed = await first.faucet(address, 10_000n)
      const unconfirmed = await first.faucet(address, 20_000n, false)
      const tip = await first.rpc('getbestblockhash')
      await first.stop()
      const second = await startDevnet({ dataDir })
      try {
        expect(await second.rpc('getbestblockhash')).toBe(tip)
        const utxos = await createClient(second).getJson<UtxoJson[]>(`/api/address/${address}/utxo`)
        expect(utxos).toMatchObject([
          { txid: confirmed, value: 10_000, status: { confirmed: true } },
          { txid: unconfirmed, value: 20_000, status: { confirmed: false } },
        ])
      } finally {
        await second.stop()
      }
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
  })
})

describe('a process that dies', () => {
  it('takes its node and its temporary folder with it', async () => {
    const script = `
      import { findBitcoind } from ${JSON.stringify(join(import.meta.dirname, 'bitcoind/bitcoind-binary.ts'))}
      import { startBitcoind } from ${JSON.stringify(join(import.meta.dirname, 'bitcoind/bitcoind.ts'))}
      const node = await startBitcoind(await findBitcoind(() => undefined))
      console.log(node.dataDir)
      setInterval(() => undefined, 1000)`
    const child = spawn(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '-e', script],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const folder = line.toString().trim()
    expect(existsSync(join(folder, 'regtest'))).toBe(true)
    child.kill('SIGKILL')
    await expect.poll(() => existsSync(folder), { timeout: 20_000 }).toBe(false)
  })

  it.each([
    { to: 'npm', signal: 'SIGTERM' },
    { to: 'npm', signal: 'SIGINT' },
    { to: 'all', signal: 'SIGINT' },
  ] as const)(
    'by $signal to $to of `npm run devnet` ends with status 0, its mempool saved and its node gone',
    async ({ to, signal }) => {
      const folder = await mkdtemp(join(tmpdir(), 'devnet-signals-'))
      onTestFinished(() => rm(folder, { recursive: true, force: true }))
      const { child, url } = await startCommand(['--datadir', folder])
      const { address } = createTestWallet('signals')
      const body = JSON.stringify({ address, sats: 5_000, confirm: false })
      const paid = await fetch(`${url}/devnet/faucet`, { method: 'POST', body })
      const { txid } = (await paid.json()) as { txid: string }
      const node = Number(await readFile(join(folder, 'regtest/bitcoind.pid'), 'utf8'))
      expect(() => process.kill(node, 0)).not.toThrow()

      const end = once(child, 'exit')
      process.kill(to === 'npm' ? (child.pid ?? 0) : -(child.pid ?? 0), signal)
      expect(await end).toEqual([0, null])
      expect(() => process.kill(node, 0)).toThrow('ESRCH')

      const again = await startDevnet({ dataDir: folder })
      onTestFinished(() => again.stop())
      const mempool = await fetch(`${again.esploraUrl}/mempool/txids`)
      expect(await mempool.json()).toEqual([txid])
    },
  )

  it('by Ctrl-C while it starts leaves no node and no folder', async () => {
    const scratch = await mkdtemp(join(tmpdir(), 'devnet-start-'))
    onTestFinished(() => rm(scratch, { recursive: true, force: true }))
    const child = launchCommand([], { ...process.env, TMPDIR: scratch })
    await expect
      .poll(async () => (await readdir(scratch)).filter(name => name.startsWith('satchel-devnet-')))
      .toHaveLength(1)
    const [name = ''] = (await readdir(scratch)).filter(one => one.startsWith('satchel-devnet-'))
    const readPid = () =>
      readFile(join(scratch, name, 'regtest/bitcoind.pid'), 'utf8').catch(() => '')
    await expect.poll(readPid).toMatch(/^\d+\n/)
    const node = Number(await readPid())
    process.kill(-(child.pid ?? 0), 'SIGINT')
    await expect.poll(() => existsSync(join(scratch, name)), { timeout: 20_000 }).toBe(false)
    expect(() => process.kill(node, 0)).toThrow('ESRCH')
  })
})

/** `npm run devnet` on a free port, in a process group of its own. */
function launchCommand(args: readonly string[], env = process.env) {
  const child = spawn('npm', ['run', 'devnet', '--', '--port', '0', ...args], {
    cwd: join(import.meta.dirname, '../..'),
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
    } catch {
      // All of them have ended.
    }
  })
  return child
}

async function startCommand(args: readonly string[]) {
  const child = launchCommand(args)
  let output = ''
  child.stdout.on('data', text => {
    output += text
  })
  await expect.poll(() => output, { timeout: 60_000 }).toMatch(/Ctrl-C stops it/)
  return { child, url: / Esplora +(http:\S+)\/api\n/.exec(output)?.[1] ?? '' }
}
