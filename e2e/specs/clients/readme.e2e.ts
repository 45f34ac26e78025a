import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dapp } from '../../driver/driver.ts'
import { FIRST } from '../../fixtures/account-owners.ts'
import { mineTransaction } from '../../fixtures/broadcast.ts'
import { bundlePage } from '../../fixtures/client-bundle.ts'
import { provesMessage } from '../../fixtures/message-proof.ts'
import { PASSWORD, startWorld, type World } from '../../fixtures/world.ts'

const README = readFileSync(new URL('../../../src/provider/README.md', import.meta.url), 'utf8')
const [OWN, SATS_CONNECT, STANDARD] = [...README.matchAll(/^```js\n([\s\S]*?)^```$/gm)].map(
  ([, code = '']) => code,
)
const SHOP = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'

/** The example as a dapp would have it behind a button: it starts when `start` is called, and what it prints is kept. */
function pageOf(code = ''): string {
  const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line)
  const body = code.replace(/^import .*$/gm, '')
  return `${imports.join('\n')}
window.printed = []
const console = { log: (...values) => window.printed.push(values) }
window.start = async () => {
${body}
}`
}

describe('the examples for dapp authors', () => {
  let world: World

  beforeAll(async () => {
    world = await startWorld('chromium', {
      pages: {
        '/own.html': await bundlePage('own', pageOf(OWN)),
        '/sats-connect.html': await bundlePage('sats-connect', pageOf(SATS_CONNECT)),
        '/standard.html': await bundlePage('standard', pageOf(STANDARD)),
      },
    })
    await world.devnet.faucet(FIRST.address, 200_000n)
    await world.devnet.faucet(FIRST.address, 200_000n)
  })
  afterAll(() => world?.stop())

  it('satchel.bitcoin: connects, signs, pays and hears of a lock', async () => {
    const { dapp, printed } = await run('own', 3)
    const [address, signature, txid] = printed[0] ?? []
    expect(address).toBe(FIRST.address)
    expect(provesMessage(FIRST.address, `I own ${FIRST.address}`, String(signature))).toBe(true)
    expect(await mine(String(txid))).toContainEqual({ address: SHOP, sats: 20_000n })
    await world.wallet.lock()
    await expect.poll(() => readPrinted(dapp)).toContainEqual(['disconnected'])
    await world.wallet.unlock(PASSWORD)
  })

  it('sats-connect: connects, signs and pays two recipients in one transaction', async () => {
    const { printed } = await run('sats-connect', 2)
    const [address, signature, txid] = printed[0] ?? []
    expect(address).toBe(FIRST.address)
    expect(provesMessage(FIRST.address, `I own ${FIRST.address}`, String(signature))).toBe(true)
    const outputs = await mine(String(txid))
    expect(outputs).toContainEqual({ address: SHOP, sats: 20_000n })
    expect(outputs).toContainEqual({ address: SHOP, sats: 30_000n })
  })

  it('Wallet Standard: connects, signs and hears of a lock', async () => {
    const { dapp, printed } = await run('standard', 1)
    const [address, signature] = printed[0] ?? []
    expect(address).toBe(FIRST.address)
    expect(provesMessage(FIRST.address, `I own ${FIRST.address}`, String(signature))).toBe(true)
    await world.wallet.lock()
    await expect.poll(() => readPrinted(dapp)).toContainEqual([0])
  })

  /** Runs an example to its end; so many questions are approved on the way. The site is connected by the first one. */
  async function run(name: string, questions: number) {
    const dapp = await world.wallet.openDapp(`${world.site}${name}.html`)
    const ended = dapp.evaluate(() => Object(window).start())
    for (let i = 0; i < questions; i++) await (await world.wallet.nextApproval()).approve()
    await ended
    await world.wallet.waitForNoApproval()
    return { dapp, printed: await readPrinted(dapp) }
  }

  const readPrinted = (dapp: Dapp): Promise<unknown[][]> =>
    dapp.evaluate(() => Object(window).printed)

  const mine = async (txid: string) => (await mineTransaction(world.devnet, txid)).outputs
})
