import { type Check, type CheckDraft, describeOperation } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { Failed } from './outcome.ts'
import { asRecord, asText, asTxid } from './shapes.ts'

/** What the specification does not have and pages use: each is named by libraries that connect wallets of this kind. */
type Beyond = Omit<CheckDraft, 'words' | 'section'> & { operation: string }

const EMITTER = ['addListener', 'once', 'off', 'removeListener', 'removeAllListeners']

const DRAFTS: readonly Beyond[] = [
  ...EMITTER.map(
    (member): Beyond => ({
      operation: 'listeners',
      id: member,
      name: `has ${member}()`,
      async run({ provider }) {
        const type = typeof provider[member]
        expect(type === 'function', `${member} is ${type}`)
        const method = provider[member] as (...args: unknown[]) => unknown
        method.call(provider, 'accountsChanged', () => undefined)
        return 'it takes a name and a handler'
      },
    }),
  ),
  {
    operation: 'listeners',
    id: 'chained',
    name: 'on() gives the provider back',
    async run({ provider }) {
      if (typeof provider.on !== 'function') throw new Failed('there is no on()')
      expect(
        provider.on('accountsChanged', () => undefined) === provider,
        'it gives something else',
      )
      return 'as emitters of Node do'
    },
  },
  {
    operation: 'connection',
    id: 'compressedPublicKey',
    name: 'connect() tells the compressed key too',
    async run(kit) {
      await kit.account()
      const { compressedPublicKey } = asRecord(await kit.resolve('connect', []), 'connect')
      const key = asText(compressedPublicKey, 'compressedPublicKey')
      expect(/^0[23][0-9a-f]{64}$/.test(key), `it is ${key}`)
      return key
    },
  },
  {
    operation: 'connection',
    id: 'selectedAccount',
    name: 'selectedAccount tells the connected account',
    async run(kit) {
      const { address } = await kit.account()
      // It may have to be asked for first.
      void kit.provider.selectedAccount
      await kit.resolve('getAccounts', [])
      const account = asRecord(kit.provider.selectedAccount, 'selectedAccount')
      expect(account.address === address, `it tells ${describe(account)}`)
      return address
    },
  },
  {
    operation: 'calls',
    id: 'detached',
    name: 'an operation works without its object',
    async run({ provider }) {
      const { getNetwork } = provider
      if (typeof getNetwork !== 'function') throw new Failed('there is no getNetwork()')
      return asText(await getNetwork(), 'getNetwork')
    },
  },
  {
    operation: 'calls',
    id: 'bip322',
    name: 'signMessage takes the type bip322 as well',
    person: ['approve'],
    async run(kit) {
      await kit.account()
      const args = ['Conformance: bip322', 'bip322']
      return asText(await kit.resolve('signMessage', args, 'approve'), 'signMessage')
    },
  },
  {
    operation: 'calls',
    id: 'base64',
    name: 'signPsbt takes base64, and gives hex, with unknown options ignored',
    needs: ['connected', 'devnet'],
    person: ['approve'],
    async run(kit) {
      const [psbt] = await kit.material.psbts('pay')
      const { address } = await kit.account()
      const toSignInputs = [
        { index: 0, address, publicKey: address, disableAddressValidation: true },
      ]
      const options = { from: address, type: 'list', toSignInputs }
      const signed = asText(
        await kit.resolve('signPsbt', [toBase64(psbt), options], 'approve'),
        'signPsbt',
      )
      kit.evidence({ kind: 'psbt', unsigned: psbt, signed })
      const { inputs } = await kit.material.read(signed)
      expect(inputs[0]?.state === 'final' && inputs[0].valid !== false, describe(inputs))
      return 'hex, and finalized'
    },
  },
  {
    operation: 'calls',
    id: 'base64-list',
    name: 'signPsbts takes base64, and a list of options with holes',
    needs: ['connected', 'devnet'],
    person: ['approve'],
    async run(kit) {
      const psbts = await kit.material.psbts('chain')
      const args = [psbts.map(toBase64), [undefined, { autoFinalized: false }]]
      const signed = await kit.resolve<string[]>('signPsbts', args, 'approve')
      const read = await Promise.all(signed.map(psbt => kit.material.read(psbt)))
      const states = read.flatMap(({ inputs }) => inputs.map(({ state }) => state)).join(', ')
      expect(states === 'final, signed', `the inputs are ${states}`)
      return states
    },
  },
  {
    operation: 'calls',
    id: 'bigint',
    name: 'sendBitcoin takes a bigint',
    needs: ['connected', 'devnet'],
    person: ['approve'],
    run: kit => pay(kit, 20_021n),
  },
  {
    operation: 'calls',
    id: 'text',
    name: 'sendBitcoin takes digits as text',
    needs: ['connected', 'devnet'],
    person: ['approve'],
    run: kit => pay(kit, '20022'),
  },
  {
    operation: 'calls',
    id: 'runes',
    name: 'getRunes() tells a total and a list, and sendRunes() names what does not fit',
    async run(kit) {
      await kit.account()
      const page = asRecord(await kit.resolve('getRunes', [0, 5]), 'getRunes')
      const isPage = typeof page.total === 'number' && Array.isArray(page.list)
      expect(isPage, `it tells ${describe(page)}`)
      return `${page.total} runes; ${await kit.refuse('sendRunes', [{ recipients: [] }])}`
    },
  },
  {
    operation: 'calls',
    id: 'rune-making',
    name: 'mintRune() and etchRune() name what does not fit',
    async run(kit) {
      await kit.account()
      const mint = await kit.refuse('mintRune', [{ rune: 'no rune' }])
      return `${mint}; ${await kit.refuse('etchRune', [{ name: 'no rune', premine: '1' }])}`
    },
  },
  {
    operation: 'connection',
    id: 'disconnect',
    name: 'disconnect() gives the permission up, and tells so',
    async run(kit) {
      await kit.account()
      const { provider } = kit
      let told = 0
      if (typeof provider.on === 'function') provider.on('disconnect', () => told++)
      await kit.resolve('disconnect', [])
      expect(!(await kit.isConnected()), 'the page is connected still')
      await kit.waitFor('the event disconnect', async () => (told > 0 ? told : null))
      return 'getAccounts() is empty, and the event came'
    },
  },
]

export const BEYOND_CHECKS: readonly Check[] = DRAFTS.flatMap(({ operation, ...draft }) =>
  describeOperation(operation, [{ ...draft, words: '', section: '' }]),
).map(check => ({ ...check, id: `beyond.${check.id}`, beyond: true }))

async function pay(kit: Kit, sats: unknown): Promise<string> {
  const { stranger } = await kit.material.stock()
  const args = [stranger, sats]
  const txid = asTxid(await kit.resolve('sendBitcoin', args, 'approve'), 'sendBitcoin')
  const { vout } = await kit.chain.transaction(txid)
  const isPaid = vout.some(
    output => output.scriptpubkey_address === stranger && output.value === Number(sats),
  )
  expect(isPaid, `no output has ${sats} sats for ${stranger}`)
  return txid
}

function toBase64(hex: string): string {
  const bytes = hex.match(/../g) ?? []
  return btoa(bytes.map(byte => String.fromCharCode(Number.parseInt(byte, 16))).join(''))
}
