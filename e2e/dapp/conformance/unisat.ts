import { findProvider } from '../provider.ts'
import { type Check, type CheckDraft, describeOperation } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import { verifyMessage } from './material.ts'
import { NotApplicable } from './outcome.ts'
import { asPublicKey, asRecord, asText, asTexts, asTxid, holdShape, SHAPES } from './shapes.ts'

/** What UniSat publishes of `window.unisat`, and pages call. */
const MEMBERS = [
  ...['requestAccounts', 'getAccounts', 'disconnect', 'getPublicKey', 'getBalance'],
  ...['getBalanceV2', 'getBitcoinUtxos', 'getInscriptions', 'getNetwork', 'switchNetwork'],
  ...['getChain', 'switchChain', 'getVersion', 'sendBitcoin', 'sendRunes', 'sendInscription'],
  ...['inscribeTransfer', 'signMessage', 'signMessages', 'signData', 'signPsbt', 'signPsbts'],
  ...['verifyMessageOfBIP322Simple', 'pushTx', 'pushPsbt', 'on', 'removeListener'],
]

const NETWORK_OF_CHAIN: { readonly [chain: string]: string } = {
  BITCOIN_MAINNET: 'livenet',
  BITCOIN_TESTNET: 'testnet',
  BITCOIN_TESTNET4: 'testnet',
  BITCOIN_SIGNET: 'testnet',
  BITCOIN_REGTEST: 'testnet',
}

const INSCRIPTION_FIELDS: { readonly [field: string]: string } = {
  ...{ inscriptionId: 'string', inscriptionNumber: 'number', address: 'string' },
  ...{ outputValue: 'number', contentLength: 'number', contentType: 'string' },
  ...{ timestamp: 'number', offset: 'number', genesisTransaction: 'string', location: 'string' },
}

const COIN_FIELDS: { readonly [field: string]: string } = {
  ...{ txid: 'string', vout: 'number', satoshis: 'number', scriptPk: 'string' },
  addressType: 'number',
}

type Coin = { txid: string; vout: number; satoshis: number; scriptPk: string }

const ON_DEVNET = ['connected', 'devnet'] as const

const DRAFTS: readonly Omit<CheckDraft, 'words' | 'section'>[] = [
  {
    id: 'members',
    name: 'has every method that UniSat publishes',
    async run() {
      const unisat = findProvider('unisat') ?? {}
      const missing = MEMBERS.filter(member => typeof unisat[member] !== 'function')
      expect(missing.length === 0, `there is no ${missing.join(', ')}`)
      return `${MEMBERS.length} methods`
    },
  },
  {
    id: 'accounts',
    name: 'getAccounts and requestAccounts tell the connected account',
    async run(kit) {
      const { address } = await kit.account()
      for (const name of ['unisat.getAccounts', 'unisat.requestAccounts']) {
        const told = asTexts(await kit.resolve(name, []), name)
        expect(told[0] === address, `${name} tells ${describe(told)}`)
      }
      return address
    },
  },
  {
    id: 'getPublicKey',
    name: 'getPublicKey tells a compressed key',
    async run(kit) {
      const key = asPublicKey(await kit.resolve('unisat.getPublicKey', []), 'getPublicKey')
      expect(key.length === 66, `it has ${key.length / 2} bytes`)
      return key
    },
  },
  {
    id: 'networks',
    name: 'getNetwork and getChain name the same network, in UniSat’s words',
    async run(kit) {
      const network = asText(await kit.resolve('unisat.getNetwork', []), 'getNetwork')
      const chain = asRecord(await kit.resolve('unisat.getChain', []), 'getChain')
      asText(chain.name, 'getChain.name')
      const expected = NETWORK_OF_CHAIN[String(chain.enum)]
      expect(expected !== undefined, `getChain.enum is ${describe(chain.enum)}`)
      const isAgreed = network === expected && chain.network === expected
      expect(isAgreed, `getNetwork is ${network}, and getChain ${describe(chain)}`)
      return `${network}, ${chain.enum}`
    },
  },
  {
    id: 'switched',
    name: 'switchNetwork and switchChain ask nobody for the network that is on',
    async run(kit) {
      const network = asText(await kit.resolve('unisat.getNetwork', []), 'getNetwork')
      const chain = asRecord(await kit.resolve('unisat.getChain', []), 'getChain')
      await kit.resolve('unisat.switchNetwork', [network])
      await kit.resolve('unisat.switchChain', [chain.enum])
      const after = asRecord(await kit.resolve('unisat.getChain', []), 'getChain')
      expect(after.enum === chain.enum, `it is ${describe(after)} now`)
      return String(chain.enum)
    },
  },
  {
    id: 'switchChain.unknown',
    name: 'switchChain refuses a chain that there is not',
    run: kit => kit.refuse('unisat.switchChain', ['BITCOIN_NOWHERE']),
  },
  {
    id: 'getVersion',
    name: 'getVersion tells numbers with points between them',
    async run(kit) {
      const version = asText(await kit.resolve('unisat.getVersion', []), 'getVersion')
      expect(/^\d+(\.\d+){2}/.test(version), `it is ${version}`)
      return version
    },
  },
  {
    id: 'getBalance',
    name: 'getBalance tells three numbers of sats',
    async run(kit) {
      const balance = asRecord(await kit.resolve('unisat.getBalance', []), 'getBalance')
      return holdShape(balance, SHAPES.Balance, 'getBalance')
    },
  },
  {
    id: 'coins',
    name: 'getBitcoinUtxos lists coins of the account, which are what getBalanceV2 calls available',
    needs: ON_DEVNET,
    async run(kit) {
      await kit.material.stock()
      const balance = asRecord(await kit.resolve('unisat.getBalanceV2', []), 'getBalanceV2')
      const { available, unavailable, total } = balance
      expect(Number(available) + Number(unavailable) === total, describe(balance))
      const coins = await kit.resolve<Coin[]>('unisat.getBitcoinUtxos', [])
      expect(Array.isArray(coins) && coins.length > 0, `it gives ${describe(coins)}`)
      for (const coin of coins) {
        holdFields(coin, COIN_FIELDS, 'getBitcoinUtxos[]')
        const { vout } = await kit.chain.transaction(coin.txid)
        const output = vout[coin.vout]
        const isThere = output?.value === coin.satoshis && output.scriptpubkey === coin.scriptPk
        expect(isThere, `${describe(coin)} is ${describe(output)} on the chain`)
      }
      const sum = coins.reduce((sats, { satoshis }) => sats + satoshis, 0)
      expect(sum === available, `they are ${sum} sats, and ${available} are available`)
      return `${coins.length} coins, ${sum} sats of ${total}`
    },
  },
  {
    id: 'getInscriptions',
    name: 'getInscriptions tells a total and a list',
    needs: ON_DEVNET,
    async run(kit) {
      await kit.material.stock()
      const page = asRecord(await kit.resolve('unisat.getInscriptions', [0, 5]), 'getInscriptions')
      const { total, list } = page
      expect(typeof total === 'number' && Array.isArray(list), describe(page))
      expect(list.length > 0, 'the list is empty')
      for (const item of list) holdFields(item, INSCRIPTION_FIELDS, 'getInscriptions.list[]')
      return `${list.length} of ${total}`
    },
  },
  {
    id: 'signMessage',
    name: 'signMessage signs as ecdsa where no type is given',
    person: ['approve'],
    async run(kit) {
      const message = 'Conformance: unisat'
      const signature = asText(
        await kit.resolve('unisat.signMessage', [message], 'approve'),
        'signMessage',
      )
      return holdSignature(kit, { message, type: 'ecdsa', signature })
    },
  },
  {
    id: 'verifyMessageOfBIP322Simple',
    name: 'verifyMessageOfBIP322Simple knows a signature of bip322-simple from one of another text',
    person: ['approve'],
    async run(kit) {
      const { address } = await kit.account()
      const [message, type] = ['Conformance: unisat, bip322-simple', 'bip322-simple']
      const signing = await kit.resolve('unisat.signMessage', [message, type], 'approve')
      const signature = asText(signing, 'signMessage')
      const seen = await holdSignature(kit, { message, type, signature })
      for (const text of [message, `${message}!`]) {
        const args = [address, text, signature]
        const found = await kit.resolve('unisat.verifyMessageOfBIP322Simple', args)
        expect(Boolean(found) === (text === message), `“${text}”: ${describe(found)}`)
      }
      return seen
    },
  },
  {
    id: 'signMessages',
    name: 'signMessages signs several with one question',
    person: ['approve'],
    async run(kit) {
      const orders = ['one', 'two'].map(word => ({ text: `Conformance: ${word}`, type: 'ecdsa' }))
      const args = [orders]
      const got = asTexts(await kit.resolve('unisat.signMessages', args, 'approve'), 'signMessages')
      expect(got.length === orders.length, `it gives ${got.length} signatures`)
      for (const [at, { text, type }] of orders.entries())
        await holdSignature(kit, { message: text, type, signature: got[at] ?? '' })
      return `${got.length} signatures`
    },
  },
  {
    id: 'rejected',
    name: 'rejects with code 4001 when the person says no',
    person: ['reject'],
    run: kit => kit.decline('unisat.signMessage', ['Conformance: unisat, reject this']),
  },
  {
    id: 'sendBitcoin',
    name: 'sendBitcoin pays, and tells the transaction',
    needs: ON_DEVNET,
    person: ['approve'],
    async run(kit) {
      const { stranger } = await kit.material.stock()
      const args = [stranger, 20_023, { feeRate: 2 }]
      const sending = await kit.resolve('unisat.sendBitcoin', args, 'approve')
      const txid = asTxid(sending, 'sendBitcoin')
      const { vout } = await kit.chain.transaction(txid)
      const isPaid = vout.some(
        output => output.scriptpubkey_address === stranger && output.value === 20_023,
      )
      expect(isPaid, `no output has 20,023 sats for ${stranger}`)
      return txid
    },
  },
  {
    id: 'sendInscription',
    name: 'sendInscription sends one, and tells the transaction',
    needs: ON_DEVNET,
    person: ['approve'],
    async run(kit) {
      const { stranger } = await kit.material.stock()
      const id = await kit.material.takeInscription()
      const sending = await kit.resolve('unisat.sendInscription', [stranger, id], 'approve')
      const txid = asTxid(sending, 'sendInscription')
      await kit.chain.mine()
      const { address, satpoint } = await kit.chain.place(id)
      expect(address === stranger && satpoint.startsWith(txid), `it is at ${address}, ${satpoint}`)
      return 'it is at the receiver’s address'
    },
  },
  {
    id: 'psbt',
    name: 'signPsbt finalizes what pushPsbt broadcasts',
    needs: ON_DEVNET,
    person: ['approve', 'approve if asked'],
    async run(kit) {
      const [psbt = ''] = await kit.material.psbts('pay')
      const signing = await kit.resolve('unisat.signPsbt', [psbt], 'approve')
      const signed = asText(signing, 'signPsbt')
      kit.evidence({ kind: 'psbt', unsigned: psbt, signed })
      const { txid, inputs } = await kit.material.read(signed)
      expect(
        inputs.every(({ state }) => state === 'final'),
        describe(inputs),
      )
      const pushing = await kit.resolve('unisat.pushPsbt', [signed], 'approve if asked')
      expect(asTxid(pushing, 'pushPsbt') === txid, `it tells ${pushing}, and not ${txid}`)
      expect(await kit.chain.has(txid), `${txid} is not on the chain`)
      return txid
    },
  },
]

/** Not in the specification: `window.unisat`, by which most pages find a wallet, where it is on the page. */
export const UNISAT_CHECKS: readonly Check[] = describeOperation(
  'unisat',
  DRAFTS.map(draft => ({
    ...draft,
    run: kit => runWithUnisat(kit, draft),
    words: '',
    section: '',
  })),
).map(check => ({ ...check, beyond: true }))

async function runWithUnisat(kit: Kit, { run }: Pick<CheckDraft, 'run'>): Promise<string> {
  if (findProvider('unisat') === null) throw new NotApplicable('window.unisat is not on this page')
  return run(kit)
}

function holdFields(
  value: unknown,
  fields: { readonly [field: string]: string },
  what: string,
): void {
  const record = asRecord(value, what)
  for (const [field, type] of Object.entries(fields))
    expect(typeof record[field] === type, `${what}.${field} is ${describe(record[field])}`)
}

/** Keeps a signature for those who verify it elsewhere, and verifies it. */
async function holdSignature(
  kit: Kit,
  signed: { message: string; type: string; signature: string },
): Promise<string> {
  const fields = { ...signed, ...(await kit.account()) }
  kit.evidence({ kind: 'message', ...fields })
  const valid = await verifyMessage(fields)
  expect(valid !== false, `the signature is not valid: ${signed.signature}`)
  return `${valid ? 'valid' : 'not verified'}: ${signed.signature}`
}
