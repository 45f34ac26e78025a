import { createRequire } from 'node:module'
import { getWallets } from '@wallet-standard/app'
import type { WalletAccount } from '@wallet-standard/base'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { registerWallet } from './register-wallet.ts'
import {
  describeAccount,
  type Features,
  KEY,
  nobody,
  openConnected,
  openWallet,
  type Purposeful,
  psbt,
  SEGWIT,
  segwit,
  TAPROOT,
  taproot,
} from './testing/standard-wallet.ts'
import { openTestChannel } from './testing/test-channel.ts'
import { createStandardWallet } from './wallet-standard.ts'

const loadModule = createRequire(import.meta.url)

const [UNSENT, SENT] = [false, true].map(is => ({ autoFinalized: is, broadcast: is }))

afterEach(() => {
  vi.unstubAllGlobals()
})

describe('registration', () => {
  function stubWindow() {
    const target = new EventTarget()
    vi.stubGlobal('window', target)
    vi.stubGlobal('addEventListener', target.addEventListener.bind(target))
    vi.stubGlobal('dispatchEvent', target.dispatchEvent.bind(target))
  }

  it('reaches an app that was there before, and one that comes later, once each', () => {
    stubWindow()
    const { standard } = openWallet()
    const early = getWallets()
    const onRegister = vi.fn()
    early.on('register', onRegister)
    expect(early.get()).toEqual([])
    registerWallet(() => standard)
    expect(onRegister.mock.calls).toEqual([[standard]])
    expect(early.get()).toEqual([standard])
    // The package's other build is a second app on the page, with a list of its own.
    const late = loadModule('@wallet-standard/app').getWallets()
    expect(late).not.toBe(early)
    expect(late.get()).toEqual([standard])
    expect(late.get()[0]).toBe(standard)
    expect(early.get()).toEqual([standard])
  })

  it('shows a wallet of the standard, with the Bitcoin features, that cannot be changed', () => {
    const { standard } = openWallet()
    expect(standard.version).toBe('1.0.0')
    expect(standard.name).toBe('Satchel')
    expect(standard.icon).toMatch(/^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+=*$/)
    expect(standard.chains).toEqual([
      'bitcoin:mainnet',
      'bitcoin:testnet',
      'bitcoin:signet',
      'bitcoin:regtest',
    ])
    expect(Object.keys(standard.features).sort()).toEqual([
      'bitcoin:connect',
      'bitcoin:disconnect',
      'bitcoin:events',
      'bitcoin:signAndSendTransaction',
      'bitcoin:signMessage',
      'bitcoin:signTransaction',
      'standard:connect',
      'standard:disconnect',
      'standard:events',
    ])
    for (const feature of Object.values(standard.features as Features)) {
      expect(feature.version).toBe('1.0.0')
      expect(Object.isFrozen(feature)).toBe(true)
    }
    expect([standard, standard.features, standard.chains].every(Object.isFrozen)).toBe(true)
  })
})

describe('accounts', () => {
  it('are none before the page is connected, and looking asks nothing of the person', async () => {
    const { standard, sent, tell, flush } = openWallet()
    expect(standard.accounts).toEqual([])
    await flush()
    expect(sent).toEqual([])
    tell(taproot)
    expect(standard.accounts).toEqual([
      {
        address: TAPROOT,
        publicKey: Uint8Array.from(Buffer.from(KEY, 'hex')),
        chains: ['bitcoin:regtest'],
        features: [
          'bitcoin:signMessage',
          'bitcoin:signTransaction',
          'bitcoin:signAndSendTransaction',
        ],
      },
    ])
    const [account] = standard.accounts
    expect(standard.features).toMatchObject(
      Object.fromEntries(account?.features.map(name => [name, {}]) ?? []),
    )
    tell(taproot)
    expect(standard.accounts[0]).toBe(account)
  })

  it('are there at once where the page was connected by another of the names before', () => {
    const { channel, tell } = openTestChannel()
    tell(taproot)
    const { accounts } = createStandardWallet(channel)
    expect(accounts.map(({ address }) => address)).toEqual([TAPROOT])
  })

  it.each([
    ['livenet', 'bitcoin:mainnet'],
    ['testnet4', 'bitcoin:testnet'],
    ['signet', 'bitcoin:signet'],
  ])('are on %s of the chain %s', (network, chain) => {
    const { standard, tell } = openWallet()
    tell({ state: { account: describeAccount(SEGWIT), network } })
    expect(standard.accounts[0]?.chains).toEqual([chain])
    expect(standard.chains).toContain(chain)
  })

  it.each([
    [['payment', 'ordinals']],
    [['ordinals', 'payment']],
    [['ordinals']],
    [['stacks', 'payment']],
  ])('of bitcoin:connect are one for each of %j that there is, in that order', async purposes => {
    const { standard, use, calls, tell } = openWallet(({ method }) => {
      if (method === 'connect') tell(taproot)
      return { result: {} }
    })
    const { accounts }: { accounts: Purposeful[] } = await use('bitcoin:connect', { purposes })
    const known = purposes.filter(purpose => purpose !== 'stacks')
    expect(accounts.map(({ purpose, address }) => [purpose, address])).toEqual(
      known.map(purpose => [purpose, TAPROOT]),
    )
    expect(standard.accounts).toBe(accounts)
    expect(calls()).toEqual([['connect']])
  })

  it('are each of the address that is for its purpose', async () => {
    const { standard, use, tell } = openWallet(() => ({ result: {} }))
    const ordinals = { address: TAPROOT, publicKey: KEY }
    tell({ state: { account: { ...describeAccount(SEGWIT), ordinals }, network: 'regtest' } })
    const purposes = ['ordinals', 'payment']
    const { accounts }: { accounts: Purposeful[] } = await use('bitcoin:connect', { purposes })
    expect(accounts.map(({ purpose, address }) => [purpose, address])).toEqual([
      ['ordinals', TAPROOT],
      ['payment', SEGWIT],
    ])
    tell(segwit)
    expect(standard.accounts.map(({ address }) => address)).toEqual([SEGWIT, SEGWIT])
  })

  it('of standard:connect are asked for, or looked up where it is to be silent', async () => {
    const { use, calls, tell } = openWallet(({ method }) => {
      if (method === 'connect') tell(taproot)
      return { result: [] }
    })
    expect(await use('standard:connect', { silent: true })).toEqual({ accounts: [] })
    expect(await use('standard:connect')).toMatchObject({ accounts: [{ address: TAPROOT }] })
    expect(await use('standard:connect', { silent: true })).toMatchObject({
      accounts: [{ address: TAPROOT }],
    })
    expect(calls()).toEqual([['getAccounts'], ['connect'], ['getAccounts']])
  })

  it('are refused as the person refuses, with an Error of code 4001', async () => {
    const { use } = openWallet(() => ({ error: { code: 4001, message: 'User rejected.' } }))
    const refused = await use('bitcoin:connect', { purposes: ['payment'] }).catch(error => error)
    expect(refused).toBeInstanceOf(Error)
    expect(refused).toMatchObject({ code: 4001, message: 'User rejected.' })
  })

  it('of bitcoin:connect without a purpose are one without, as MetaMask takes it', async () => {
    const { use, tell } = openWallet(({ method }) => {
      if (method === 'connect') tell(taproot)
      return { result: {} }
    })
    for (const input of [[], [undefined], [{}]]) {
      const { accounts }: { accounts: Purposeful[] } = await use('bitcoin:connect', ...input)
      expect(accounts.map(({ address, purpose }) => [address, purpose])).toEqual([
        [TAPROOT, undefined],
      ])
    }
  })

  it.each(['standard', 'bitcoin'])(
    'change with the account, the lock and the network, and tell only those who listen (%s:events)',
    async prefix => {
      const { tell, onChange, standard, use, calls } = openWallet(() => ({ result: null }))
      const heard: unknown[] = []
      const stop = onChange(`${prefix}:events`, ({ accounts }) => {
        expect(standard.accounts).toBe(accounts)
        heard.push(accounts.map(({ address, chains }) => [address, ...chains]))
      })
      tell(nobody)
      tell(taproot)
      tell(taproot)
      tell(segwit)
      tell({ state: { account: segwit.state.account, network: 'signet' } })
      tell({ state: { account: null, network: 'signet' } })
      expect(heard).toEqual([
        [[TAPROOT, 'bitcoin:regtest']],
        [[SEGWIT, 'bitcoin:regtest']],
        [[SEGWIT, 'bitcoin:signet']],
        [],
      ])
      stop()
      tell(taproot)
      expect(heard).toHaveLength(4)
      expect(await use(`${prefix}:disconnect`)).toBe(undefined)
      expect(calls()).toEqual([['disconnect']])
    },
  )
})

const describePayment = (account: WalletAccount) => ({
  psbt,
  chain: 'bitcoin:regtest',
  inputsToSign: [{ account, signingIndexes: [0] }],
})

describe('bitcoin:signTransaction', () => {
  it('hands over the PSBT and which inputs, and gives back its bytes', async () => {
    const { use, account, calls } = openConnected(() => ({ result: ['70736274ffab'] }))
    const given = psbt.slice()
    const call = use('bitcoin:signTransaction', {
      psbt: given,
      chain: 'bitcoin:regtest',
      inputsToSign: [
        { account, signingIndexes: [0, 2] },
        { account, signingIndexes: [1], sigHash: 'SINGLE|ANYONECANPAY' },
        { account, signingIndexes: [3], sigHash: 1 },
        { account, signingIndexes: [4], sigHash: undefined },
      ],
    })
    given.fill(0)
    expect(await call).toEqual([
      { signedPsbt: Uint8Array.from([0x70, 0x73, 0x62, 0x74, 0xff, 0xab]) },
    ])
    const address = TAPROOT
    expect(calls()).toEqual([
      [
        'signPsbts',
        ['70736274ff01'],
        [
          {
            ...UNSENT,
            toSignInputs: [
              { index: 0, address },
              { index: 2, address },
              { index: 1, address, sighashTypes: [0x83] },
              { index: 3, address, sighashTypes: [1] },
              { index: 4, address },
            ],
          },
        ],
      ],
    ])
  })

  it('signs several with one question, and asks nothing for none', async () => {
    const { use, account, calls } = openConnected(({ params }) => ({ result: params[0] }))
    const input = describePayment(account)
    const inputsToSign = [{ account, signingIndexes: [3], sigHash: 'ALL' }]
    const other = { psbt: new Uint8Array([1]), inputsToSign }
    expect(await use('bitcoin:signTransaction', input, other)).toEqual([
      { signedPsbt: psbt },
      { signedPsbt: new Uint8Array([1]) },
    ])
    const address = TAPROOT
    expect(calls()).toEqual([
      [
        'signPsbts',
        ['70736274ff01', '01'],
        [
          { ...UNSENT, toSignInputs: [{ index: 0, address }] },
          { ...UNSENT, toSignInputs: [{ index: 3, address, sighashTypes: [1] }] },
        ],
      ],
    ])
    expect(await use('bitcoin:signTransaction')).toEqual([])
    expect(await use('bitcoin:signAndSendTransaction')).toEqual([])
    expect(calls()).toHaveLength(1)
  })

  it('refuses another chain than the one in use, and what is no bytes', async () => {
    const { use, sent } = openConnected(() => ({ result: '00' }))
    await expect(
      use('bitcoin:signTransaction', { psbt, chain: 'bitcoin:mainnet', inputsToSign: [] }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('bitcoin:regtest') })
    await expect(
      use('bitcoin:signTransaction', { psbt: '70736274ff', inputsToSign: [] }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringMatching(/^psbt: .*Uint8Array/) })
    expect(sent).toEqual([])
  })

  it('is for the chain that it names alone, also where the page is told none while the wallet is locked', async () => {
    const { use, sent } = openWallet(({ method }) => ({
      result: method === 'signPsbts' ? ['00', '00'] : 'id',
    }))
    const input = { psbt, chain: 'bitcoin:testnet', inputsToSign: [] }
    await use('bitcoin:signTransaction', input, { psbt, inputsToSign: [] })
    await use('bitcoin:signAndSendTransaction', { ...input, chain: 'bitcoin:mainnet' })
    expect(sent.map(({ method, network }) => [method, network])).toEqual([
      ['signPsbts', 'testnet4'],
      ['signPsbts', 'livenet'],
      ['pushPsbt', 'livenet'],
      ['pushPsbt', 'livenet'],
    ])
    for (const chain of ['bitcoin:mainnet', 'toString', '","method":"connect']) {
      const refused = use('bitcoin:signTransaction', input, { ...input, chain })
      await expect(refused).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('chain: expected bitcoin:testnet'),
      })
      const alone = use('bitcoin:signTransaction', { ...input, chain: `${chain}?` })
      await expect(alone).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('chain: expected bitcoin:mainnet, bitcoin:testnet'),
      })
    }
    expect(sent).toHaveLength(4)
  })

  it('never makes every input of a group that names none, nor a sighash of a name it has not', async () => {
    const { use, account, calls } = openConnected(() => ({ result: ['00'] }))
    await use('bitcoin:signTransaction', {
      psbt,
      inputsToSign: [
        { account, signingIndexes: [] },
        { account, signingIndexes: [0], sigHash: 'toString' },
      ],
    })
    expect(calls()[0]?.[2]).toEqual([
      {
        ...UNSENT,
        toSignInputs: [
          { address: TAPROOT },
          { index: 0, address: TAPROOT, sighashTypes: ['toString'] },
        ],
      },
    ])
  })
})

describe('bitcoin:signAndSendTransaction', () => {
  it('finalizes, sends, and gives the id of each', async () => {
    const { use, account, calls } = openConnected(({ method, params }) => ({
      result:
        method === 'signPsbts'
          ? (params[0] as string[]).map(hex => `${hex}ff`)
          : `id of ${params[0]}`,
    }))
    const input = describePayment(account)
    const other = { ...input, psbt: new Uint8Array([1]) }
    expect(await use('bitcoin:signAndSendTransaction', input, other)).toEqual([
      { txId: 'id of 70736274ff01ff' },
      { txId: 'id of 01ff' },
    ])
    const options = { ...SENT, toSignInputs: [{ index: 0, address: TAPROOT }] }
    expect(calls()).toEqual([
      ['signPsbts', ['70736274ff01', '01'], [options, options]],
      ['pushPsbt', '70736274ff01ff'],
      ['pushPsbt', '01ff'],
    ])
  })

  it('sends nothing that was not signed, and tells why it was not sent', async () => {
    const { use, account, calls } = openConnected(({ method }) =>
      method === 'signPsbts'
        ? { result: ['00', '01'] }
        : { error: { code: -32000, message: 'x', data: { reason: 'BROADCAST_REJECTED' } } },
    )
    const input = describePayment(account)
    await expect(use('bitcoin:signAndSendTransaction', input, input)).rejects.toMatchObject({
      code: -32000,
      data: { reason: 'BROADCAST_REJECTED' },
    })
    expect(calls().map(([method]) => method)).toEqual(['signPsbts', 'pushPsbt'])
  })
})
