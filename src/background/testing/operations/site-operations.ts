import { fromHex } from '../../../bitcoin/bytes.ts'
import { FOREIGN_KEY } from '../../../bitcoin/testing/psbt-building.ts'
import { etchingDraft } from '../../inscribing/testing/etching-world.ts'
import { RECIPIENT, SECOND_RECIPIENT } from '../funded-wallet.ts'
import { publishPrevious } from '../psbt-site.ts'
import { buildFresh, type SignedElsewhere, signElsewhere } from '../signed-transactions.ts'
import { NEW_SITE, type Scene } from '../wallet-scene.ts'
import type { Operation } from './operation.ts'

const stranger = (amount: bigint) => ({ type: 'p2wpkh' as const, amount })

/** A transaction of a coin of the account that nobody has shown, and one of nobody's that it does not need. */
async function buildTransactions({ world, key, account }: Scene) {
  const fields = { tapInternalKey: fromHex(account.publicKey).slice(1) }
  const own = { type: 'p2tr' as const, key, amount: 20_000n, fields }
  const spending = (inputs: Parameters<typeof buildFresh>[0]['inputs'], amount: bigint) =>
    publishPrevious({ world }, buildFresh({ inputs, outputs: [stranger(amount)] }))
  const open = [spending([own], 19_000n), spending([{ ...own, amount: 21_000n }], 20_000n)]
  return {
    open: open.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
    own: signElsewhere(open[0] as (typeof open)[0], key),
    foreign: signElsewhere(spending([stranger(10_000n)], 9_000n), FOREIGN_KEY),
  }
}

type Transactions = { open: string[]; own: SignedElsewhere; foreign: SignedElsewhere }

const site = (
  name: string,
  params: (scene: Scene, prepared: never) => unknown[],
  rest: Partial<Operation> = {},
): Operation => ({ name, method: name.split(',')[0] ?? '', params, ...rest })

const signing = (
  name: string,
  params: (transactions: Transactions, scene: Scene) => unknown[],
): Operation =>
  site(name, (scene, prepared) => params(prepared, scene), { prepare: buildTransactions })

export const SITE_OPERATIONS: readonly Operation[] = [
  site('connect', () => [], { origin: NEW_SITE }),
  site('requestAccounts', () => [], { origin: NEW_SITE }),
  site('getAccounts', () => []),
  site('getNetwork', () => []),
  site('getPublicKey', () => []),
  site('getBalance', () => []),
  site('getInscriptions', () => [0, 20]),
  site('sendBitcoin', () => [RECIPIENT, 20_000, { feeRate: 2 }]),
  site('sendBitcoin, while locked', () => [RECIPIENT, 20_000, { feeRate: 2 }], {
    prepare: ({ worker }) => worker.ui('lock', null),
  }),
  site('send', ({ account }) => [
    { from: account.address, to: RECIPIENT, value: '0.0002', memo: 'hello', memoPos: 1 },
  ]),
  site('sendInscription', ({ single }) => [RECIPIENT, single.ids[0]]),
  site('transferNft', ({ account, single, other }) => [
    { from: account.address, to: RECIPIENT, data: [...single.ids, ...other.ids] },
  ]),
  site('signMessage', () => ['hello']),
  signing('pushTx', ({ own }) => [own.raw]),
  signing('pushTx, of nobody', ({ foreign }) => [foreign.raw]),
  site('splitUtxo', ({ account }) => [{ from: account.address, amount: 2 }]),
  site('inscribe', ({ account }) => [{ from: account.address, tick: 'ordi' }]),
  site('mint', ({ account }) => [
    {
      ...{ type: 61, from: account.address, feeRate: 7 },
      inscriptions: [{ body: 'hello' }, { body: 'world' }],
    },
  ]),
  signing('signPsbt', ({ open }) => [open[0]]),
  signing('signPsbt, and send', ({ open }) => [open[0], { broadcast: true }]),
  signing('signPsbts', ({ open }) => [open]),
  signing('signPsbts, and send', ({ open }) => [open, { broadcast: true }]),
  signing('pushPsbt', ({ own }) => [own.final]),
  signing('sendPsbt', ({ own, foreign }, { account }) => [
    [
      { itemId: 'a', signedTx: foreign.raw, type: 52 },
      { itemId: 'b', signedTx: own.final, type: 52, dependItemId: ['a'] },
    ],
    account.address,
  ]),
  site('disconnect', () => []),
  site('switchNetwork', () => ['signet'], { halves: ['network', 'sites'] }),
  site('sendTransfer', () => [
    {
      recipients: [
        { address: RECIPIENT, amount: 20_000 },
        { address: SECOND_RECIPIENT, amount: 10_000 },
      ],
    },
  ]),
  site('deriveContextHash', () => ['dapp-vault', 'deadbeef']),
  site('signMessages', () => [[{ text: 'hello' }, { text: 'world' }]]),
  site('getRunes', () => [0, 20]),
  site('sendRunes', ({ runeDraft }) => [
    { recipients: runeDraft.orders.map(({ to, ...order }) => ({ ...order, address: to })) },
  ]),
  site('mintRune', ({ mintDraft }) => [{ rune: mintDraft.rune, count: mintDraft.count }]),
  site('etchRune', () => [{ name: etchingDraft().name, premine: '1000', feeRate: 2 }]),
  site('estimateMintRune', ({ mintDraft }) => [{ rune: mintDraft.rune, feeRate: 2 }]),
  site('estimateEtchRune', () => [{ name: etchingDraft().name, premine: '1000', feeRate: 2 }]),
]

/** Of the stand-ins for other wallets: those that take several steps. */
export const STAND_IN_OPERATIONS: readonly Operation[] = [
  site('satsConnect.wallet_connect', () => [{ network: 'Signet' }], {
    ...{ origin: NEW_SITE, halves: ['network', 'sites'] },
  }),
  site('satsConnect.ord_sendInscriptions', ({ single, other }) => [
    {
      transfers: [...single.ids, ...other.ids].map((inscriptionId, at) => ({
        ...{ inscriptionId, address: [RECIPIENT, SECOND_RECIPIENT][at] },
      })),
    },
  ]),
  site('satsConnect.runes_transfer', ({ runeDraft }) => [
    {
      recipients: runeDraft.orders.map(({ rune, amount, to }) => ({
        ...{ runeName: rune, amount, address: to },
      })),
    },
  ]),
  signing('satsConnect.signPsbt', ({ open }) => [
    { psbt: Buffer.from(open[0] ?? '', 'hex').toString('base64'), broadcast: true },
  ]),
  site('satsConnect.sendTransfer', () => [
    { recipients: [{ address: RECIPIENT, amount: 20_000 }] },
  ]),
  site('unisat.sendBitcoin', () => [RECIPIENT, 20_000, { memo: 'hello', feeRate: 2 }]),
  site('unisat.sendRunes', ({ runeDraft }) => [RECIPIENT, runeDraft.orders[0]?.rune, '7']),
  site('unisat.inscribeTransfer', () => ['ordi', '5']),
  signing('unisat.signPsbts', ({ open }) => [open]),
  site('unisat.getPublicKey', () => [], { origin: NEW_SITE }),
  site('leather.sendTransfer', () => [{ address: RECIPIENT, amount: 20_000, network: 'regtest' }]),
  signing('leather.signPsbt', ({ open }) => [{ hex: open[0], broadcast: true }]),
]
