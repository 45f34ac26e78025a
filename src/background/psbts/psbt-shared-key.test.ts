import { TEST_NETWORK, Transaction, WIF } from '@scure/btc-signer'
import { expect, it } from 'vitest'
import { addressAt, MASTER, startWithMany } from '../accounts/testing/many-addresses.ts'
import { RECIPIENT, REGTEST } from '../testing/funded-wallet.ts'
import { fund } from '../testing/test-wallet.ts'

it('a coin of an imported key that is also one of many addresses is counted once, for the account in use', async () => {
  const { world, worker, account } = await startWithMany()
  const { privateKey } = MASTER.derivePath("m/84'/1'/0'/0/5")
  const wif = WIF(TEST_NETWORK).encode(privateKey ?? new Uint8Array())
  const name = 'Paper'
  const paper = await worker.ui('importWif', { wif, addressType: 'p2wpkh', name })
  expect(paper.address).toBe(addressAt('p2wpkh', 0, 5))
  const txid = fund(world, paper.address, 50_000n)
  const psbt = new Transaction()
  const nonWitnessUtxo = world.chain.get(txid)
  psbt.addInput({ txid, index: 0, ...(nonWitnessUtxo && { nonWitnessUtxo }) })
  psbt.addOutputAddress(RECIPIENT, 30_000n, REGTEST)
  psbt.addOutputAddress(account.address, 19_000n, REGTEST)
  for (const [accountId, nets] of [
    [account.id, { [account.id]: '-31000' }],
    [paper.id, { [paper.id]: '-50000', [account.id]: '19000' }],
  ] as const) {
    await worker.ui('selectAccount', { accountId })
    await worker.ui('getOverview', { retry: true })
    const { id } = await worker.ui('loadPsbt', {
      psbt: Buffer.from(psbt.toPSBT(0)).toString('base64'),
    })
    const { review } = await worker.ui('reviewPsbt', { id })
    const [view] = review.items
    expect(view?.net.sats).toBe('-31000')
    expect(Object.fromEntries(view?.nets.map(one => [one.accountId, one.sats]) ?? [])).toEqual(nets)
  }
})
