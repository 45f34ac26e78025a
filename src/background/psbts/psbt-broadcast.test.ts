import * as ecc from '@bitcoinerlab/secp256k1'
import { Transaction } from 'bitcoinjs-lib'
import { ECPairFactory } from 'ecpair'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../bitcoin/bytes.ts'
import { buildPsbt } from '../../bitcoin/testing/psbt-building.ts'
import {
  publishPrevious,
  readPsbtElsewhere,
  resultOf,
  type Signing,
  startSigner,
  trySigning,
} from '../testing/psbt-site.ts'

const ECPair = ECPairFactory(ecc)

const SENT = { broadcast: true }
const STRANGER = { type: 'p2wpkh' as const, amount: 20_000n }

/** Pays a stranger and the account itself. */
function payment(site: Signing) {
  const { type, key } = { type: site.account.addressType, key: site.key }
  const inputs = [{ type, key, amount: 50_000n }]
  const outputs = [STRANGER, { type, key, amount: 29_000n }]
  return publishPrevious(site, buildPsbt({ inputs, outputs }))
}

/** Spends what another one pays to the account. */
function spendChange(site: Signing, parent: Transaction) {
  const outpoint = { txid: parent.getId(), vout: 1 }
  const inputs = [{ type: site.account.addressType, key: site.key, amount: 29_000n, outpoint }]
  return buildPsbt({ inputs, outputs: [STRANGER] })
}

const unsigned = (bytes: Uint8Array) =>
  Transaction.fromBuffer(readPsbtElsewhere(toHex(bytes)).data.getTransaction())
const questionsOf = (site: Signing) => site.world.window.shown

describe('PSBTs that the wallet is to send', () => {
  it.each(['p2tr', 'p2wpkh'] as const)(
    'are shown as such, and sent with one question (%s)',
    async type => {
      const site = await startSigner(type)
      const before = questionsOf(site)
      const hex = toHex(payment(site).bytes)
      const { review, response } = await trySigning(site, 'signPsbt', hex, SENT)
      expect(review?.broadcast).toBe(true)
      const sent = readPsbtElsewhere(resultOf(response)).extractTransaction()
      expect(site.world.chain.broadcasts).toEqual([sent.getId()])
      expect(questionsOf(site) - before).toBe(1)
      const [record] = await site.worker
        .ui('getActivity', { offset: 0, limit: 1 })
        .then(({ entries }) => entries)
      expect(record).toMatchObject({ txid: sent.getId() })
    },
  )

  it('are not shown as such, nor sent, where nobody asks for that', async () => {
    const site = await startSigner()
    const { review } = await trySigning(site, 'signPsbt', toHex(payment(site).bytes))
    expect(review?.broadcast).toBe(false)
    expect(site.world.chain.broadcasts).toEqual([])
  })

  it('go out parents first, all of them where one is to be sent', async () => {
    const site = await startSigner()
    const parent = payment(site)
    const child = spendChange(site, unsigned(parent.bytes))
    const hexes = [child, parent].map(({ bytes }) => toHex(bytes))
    const { review } = await trySigning(site, 'signPsbts', hexes, [null, SENT])
    expect(review?.broadcast).toBe(true)
    expect(site.world.chain.broadcasts).toEqual(
      [parent, child].map(({ bytes }) => unsigned(bytes).getId()),
    )
  })

  it('are refused without a question where others have to sign, too', async () => {
    const site = await startSigner()
    const { type, key } = { type: site.account.addressType, key: site.key }
    const built = publishPrevious(
      site,
      buildPsbt({
        inputs: [
          { type, key, amount: 50_000n },
          { type, key: new Uint8Array(32).fill(9), amount: 10_000n },
        ],
        outputs: [STRANGER],
      }),
    )
    const before = questionsOf(site)
    const { review, response } = await trySigning(site, 'signPsbt', toHex(built.bytes), SENT)
    expect(review).toBeNull()
    expect(questionsOf(site)).toBe(before)
    expect(response).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('input 1 is not complete') },
    })
  })

  it('that others have signed come back final, as they were sent', async () => {
    const site = await startSigner()
    const theirs = new Uint8Array(32).fill(9)
    const { type, key } = { type: site.account.addressType, key: site.key }
    const built = publishPrevious(
      site,
      buildPsbt({
        inputs: [
          { type, key, amount: 50_000n },
          { type: 'p2wpkh', key: theirs, amount: 10_000n },
        ],
        outputs: [STRANGER],
      }),
    )
    const cosigned = readPsbtElsewhere(toHex(built.bytes))
    const pair = ECPair.fromPrivateKey(theirs)
    cosigned.signInput(1, pair)
    const { response } = await trySigning(site, 'signPsbt', cosigned.toHex(), SENT)
    const sent = readPsbtElsewhere(resultOf(response)).extractTransaction(true)
    expect(site.world.chain.broadcasts).toEqual([sent.getId()])
  })

  it('are sent once where the page pushes them as well, with no other question', async () => {
    const site = await startSigner()
    const { response } = await trySigning(site, 'signPsbt', toHex(payment(site).bytes), SENT)
    const before = questionsOf(site)
    const [txid] = site.world.chain.broadcasts
    expect(await site.page.call('pushPsbt', resultOf(response))).toMatchObject({ result: txid })
    expect(site.world.chain.broadcasts).toEqual([txid])
    expect(questionsOf(site)).toBe(before)
  })

  it.each([
    ['all', SENT],
    ['one', [null, SENT]],
  ])(
    'of which only one could be sent are refused without a question where %s are to be sent',
    async (_, options) => {
      const site = await startSigner()
      const [one, other] = [payment(site), payment(site)].map(({ bytes }) => toHex(bytes))
      const { review, response } = await trySigning(site, 'signPsbts', [one, other], options)
      expect(review).toBeNull()
      expect(response).toMatchObject({
        error: { code: -32602, message: 'psbts[1]: cannot be sent: psbts[0] spends the same coin' },
      })
    },
  )

  it('tell what the network says when it refuses them', async () => {
    const site = await startSigner()
    site.world.chain.faults.refuse = 'bad-txns-in-belowout'
    const { response } = await trySigning(site, 'signPsbt', toHex(payment(site).bytes), SENT)
    expect(response).toMatchObject({
      error: { data: { reason: 'BROADCAST_REJECTED', node: 'bad-txns-in-belowout' } },
    })
  })

  it.each(['yes', 1])('cannot be asked for with %j', async broadcast => {
    const { page } = await startSigner()
    expect(await page.call('signPsbt', 'cHNidP8=', { broadcast })).toMatchObject({
      error: {
        code: -32602,
        message: expect.stringContaining('options.broadcast: expected true or false'),
      },
    })
  })
})
