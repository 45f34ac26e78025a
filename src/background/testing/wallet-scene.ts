import { startWithAtomicals } from './atomical-wallet.ts'
import { RECIPIENT } from './funded-wallet.ts'
import { privateKeyOf } from './psbt-site.ts'
import { createWorld, decideNext, fund, startWorker } from './test-wallet.ts'

/** A site that is not connected. */
export const NEW_SITE = 'https://new.example'

export const TOKEN = `${'ef'.repeat(32)}i0`

/** A world without a wallet. */
export async function startEmptyScene() {
  const world = createWorld()
  return { world, worker: startWorker(world) }
}

/**
 * An unlocked wallet that has a bit of everything: coins, inscriptions (one coin with two), Atomicals, a rune, a BRC-20 token, a
 * contact, accounts more, and a connected site.
 */
export async function startScene(serverUrl: string) {
  const started = await startWithAtomicals(
    [
      { sats: 3_000n, with: [{ id: TOKEN, type: 'ft', amount: 3_000n, name: 'satch' }] },
      { sats: 1_000n, with: [{}] },
    ],
    [100_000n, 70_000n, 60_000n],
  )
  const { world, worker, account } = started
  const inscribe = (sats: bigint, ...offsets: bigint[]) => {
    const outpoint = `${fund(world, account.address, sats)}:0`
    const ids = offsets.map(offset =>
      world.assets.inscribe(outpoint, { body: `${sats} ${offset}`, offset }),
    )
    return { outpoint, ids }
  }
  const single = inscribe(1_000n, 0n)
  const other = inscribe(1_001n, 0n)
  const double = inscribe(20_000n, 0n, 10_000n)
  const runic = `${fund(world, account.address, 546n)}:0`
  const { name } = world.assets.etch(runic, { amount: 100n })
  const runeDraft = {
    ...{ orders: [{ rune: name, amount: '7', to: RECIPIENT }], feeRate: 2, label: '' },
  }
  world.assets.etch('', { name: 'OPEN•RUNE•OF•TESTS', rune: '90:1' })
  const none = { start: null, end: null }
  world.assets.describeRune('90:1', {
    terms: { amount: 5n, cap: 100n, height: none, offset: none },
  })
  const mintDraft = { rune: 'OPEN•RUNE•OF•TESTS', count: 2, feeRate: 2, label: 'mine' }
  world.brc20.deploy('ordi', { decimals: 1, minted: '1000' })
  world.brc20.credit(account.address, 'ordi', '80', '20')
  const added = await worker.ui('addAccount', { addressType: 'p2wpkh', name: 'Spending' })
  const contact = await worker.ui('saveContact', {
    ...{ id: null, name: 'Alice', address: account.address },
  })
  return {
    ...started,
    ...{ single, other, double, runeDraft, mintDraft, added, contact, serverUrl },
    key: await privateKeyOf(account),
    clean: started.txids.map(txid => `${txid}:0`),
  }
}

export type Scene = Awaited<ReturnType<typeof startScene>>

/** Asks as the connected site does, and answers for the person. */
export async function askAndApprove(
  { worker, page }: Pick<Scene, 'worker' | 'page'>,
  method: string,
  ...params: unknown[]
): Promise<unknown> {
  const answer = page.call(method, ...params)
  await decideNext(worker, 'approve')
  const response = await answer
  if ('error' in response) throw new Error(JSON.stringify(response.error))
  return response.result
}

/** A page's request that waits for the person. */
export async function askOnly({ worker, page }: Pick<Scene, 'worker' | 'page'>) {
  void page.call('signMessage', 'hello')
  for (;;) {
    const approval = await worker.ui('getApproval', null)
    if (approval) return { key: approval.key, digest: approval.digest }
    await new Promise(resolve => setTimeout(resolve, 1))
  }
}

/** Somebody else empties the list of contacts in storage; resolves the digest of what the person is shown then. */
export async function tamper({ world, worker }: Scene): Promise<string> {
  await world.local.set({ contacts: [] })
  return (await worker.ui('getChangedRecords', null)).digest
}
