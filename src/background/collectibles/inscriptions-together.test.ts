import { beforeEach, describe, expect, it } from 'vitest'
import { defer, selectedAccount } from '../testing/funded-wallet.ts'
import {
  createWorld,
  fund,
  startUnlocked,
  type Worker,
  type World,
} from '../testing/test-wallet.ts'
import { proveInscriptions } from './inscription-proofs.ts'

let world: World
let worker: Worker
let address: string

beforeEach(async () => {
  world = createWorld()
  worker = await startUnlocked(world)
  address = (await selectedAccount(worker)).address
})

/** What the index says, rightly, of six inscriptions. */
function claimSix() {
  return ['a', 'b', 'c', 'd', 'e', 'f'].map(body => {
    const outpoint = `${fund(world, address, 546n)}:0`
    return { id: world.assets.inscribe(outpoint, { body }), satpoint: { outpoint, offset: 0n } }
  })
}

describe('inscriptions that are checked together', () => {
  it('are written down in one write', async () => {
    const claims = claimSix()
    let writes = 0
    const { local } = world
    const set = local.set.bind(local)
    local.set = async entries => {
      if ('inscriptionProofs' in entries) writes += 1
      await set(entries)
    }
    await proveInscriptions(worker.wallet, 'regtest', claims)
    expect(writes).toBe(1)
    world.chain.faults.unreachable = true
    const again = await proveInscriptions(worker.wallet, 'regtest', claims)
    expect(claims.map(({ id }) => again.get(id)?.proof)).toEqual(claims.map(() => 'verified'))
  })

  it('have their reveals and their contents asked for at the same time', async () => {
    const [claim] = claimSix()
    if (!claim) throw new Error('No claim')
    const { source } = world.assets
    const { chain } = world.chain
    const asked = { reveal: defer(), content: defer() }
    const { fetchTransaction } = chain
    const { fetchContent } = source
    chain.fetchTransaction = async txid => {
      asked.reveal.resolve()
      await asked.content.promise
      return fetchTransaction(txid)
    }
    source.fetchContent = async (id, maxBytes) => {
      asked.content.resolve()
      await asked.reveal.promise
      return fetchContent(id, maxBytes)
    }
    const proven = await proveInscriptions(worker.wallet, 'regtest', [claim])
    expect(proven.get(claim.id)?.proof).toBe('verified')
  })

  it('that one transaction reveals ask for it once', async () => {
    const outpoint = `${fund(world, address, 5_460n)}:0`
    const claims = Array.from({ length: 6 }, (_, at) => {
      const offset = BigInt(546 * at)
      const id = world.assets.inscribe(outpoint, { body: `${at}`, offset })
      return { id, satpoint: { outpoint, offset } }
    })
    const asked: string[] = []
    const { fetchTransaction } = world.chain.chain
    world.chain.chain.fetchTransaction = txid => {
      asked.push(txid)
      return fetchTransaction(txid)
    }
    await proveInscriptions(worker.wallet, 'regtest', claims)
    expect(asked.length).toBe(new Set(asked).size)
    expect(asked.length).toBeGreaterThan(0)
  })

  it('have some seconds for all of them', async () => {
    const claims = claimSix()
    const { chain } = world.chain
    const real = chain.fetchTransaction
    chain.fetchTransaction = txid => {
      world.clock.now += 3_000
      return real(txid)
    }
    const proven = await proveInscriptions(worker.wallet, 'regtest', claims)
    const proofs = claims.map(({ id }) => proven.get(id)?.proof)
    expect(proofs).toContain('verified')
    expect(proofs).toContain('server')
    expect(new Set(proofs).size).toBe(2)
  })
})
