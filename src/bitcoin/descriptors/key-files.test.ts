import { describe, expect, it } from 'vitest'
import { addressOfScript } from '../address.ts'
import {
  firstAddressOf,
  refusalOfKeyFile,
  textOfKeyFile,
  withChecksum,
} from '../testing/key-files.ts'
import bip32 from '../testing/vectors/bip32.json' with { type: 'json' }
import slip132 from '../testing/vectors/slip132.json' with { type: 'json' }
import { parseDescriptor } from './descriptor.ts'
import { deriveOutput } from './descriptor-output.ts'
import { parseKeyFile } from './key-files.ts'

const XPUB = slip132.accounts[0]?.public ?? ''
const YPUB = slip132.accounts[1]?.public ?? ''
const ZPUB = slip132.accounts[2]?.public ?? ''
const SPARROW =
  'wpkh([a262308d/84h/0h/0h]xpub6DM7CYgaTMdMbhTcLTUWmNUE5WLXK5hx8ZMa4sRw8qYJPqtqKYiKnwsmT8A6AijDVAUZRivdBnXdR8QE7Y9vVnqvzPL3fXCmu1WtCRLdAoz/<0;1>/*)#cpx4ean7'

describe('files of other programs', () => {
  it.each([
    ['coldcard-export', 'coldcard', 'm/84h/1h/0h', '0f056943'],
    ['coldcard-account-123', 'coldcard', 'm/84h/0h/123h', '0f056943'],
  ])('%s has the descriptors that Coldcard wrote into it', (name, format, path, fingerprint) => {
    const text = textOfKeyFile(name)
    const written: { [section: string]: { desc?: string; deriv?: string; first?: string } } =
      JSON.parse(text)
    const { format: found, candidates } = parseKeyFile(text)
    expect(found).toBe(format)
    expect(candidates.map(one => one.descriptor)).toEqual(
      ['bip84', 'bip49', 'bip44'].map(section => written[section]?.desc),
    )
    expect(candidates.map(one => one.addressType)).toEqual(['p2wpkh', 'p2sh-p2wpkh', 'p2pkh'])
    expect(written.bip84?.deriv).toBe(path)
    expect(candidates[0]).toMatchObject({ fingerprint, policy: null, name: null })
  })

  it('of Coldcard give the first addresses that are in them, and are refused when one was changed', () => {
    const text = textOfKeyFile('coldcard-older')
    const { bip44, bip49, bip84 } = JSON.parse(text)
    expect(parseKeyFile(text).candidates.map(one => firstAddressOf(one.descriptor))).toEqual([
      bip84.first,
      bip49.first,
      bip44.first,
    ])
    const changed = text.replace(bip84.first, 'tb1qupyd58ndsh7lut0et0vtrq432jvu9jtdyws9n9')
    expect(refusalOfKeyFile(changed).problem).toBe('malformed')
  })

  it('of Coldcard for Electrum give what its own export gives', () => {
    const { format, candidates } = parseKeyFile(textOfKeyFile('coldcard-electrum-single'))
    expect(format).toBe('electrum')
    const own: { bip84: { xpub: string } } = JSON.parse(textOfKeyFile('coldcard-export'))
    expect(candidates).toHaveLength(1)
    expect(candidates[0]).toMatchObject({
      descriptor: withChecksum(`wpkh([0f056943/84h/1h/0h]${own.bip84.xpub}/<0;1>/*)`),
      name: 'Coldcard Import 4369050F',
    })
  })

  it.each(['p2wsh', 'p2sh', 'p2sh-p2wsh'])(
    'of Coldcard for several signers, %s, say the same in both forms',
    script => {
      const [text] = parseKeyFile(
        textOfKeyFile(`coldcard-multisig-export-${script}-myself`),
      ).candidates
      const [written] = parseKeyFile(
        textOfKeyFile(`coldcard-multisig-desc-${script}-myself`),
      ).candidates
      expect(text?.descriptor).toBe(written?.descriptor)
      expect(text?.policy).toEqual({ script, threshold: 2, keys: 4 })
      expect([text?.name, text?.fingerprint]).toEqual(['CC-2-of-4', null])
    },
  )

  it('of Electrum have its addresses, and nothing private of it', () => {
    const text = textOfKeyFile('electrum-seed')
    const { addresses, keystore } = JSON.parse(text)
    const { candidates } = parseKeyFile(text)
    const [one] = candidates
    const descriptor = parseDescriptor(one?.descriptor ?? '')
    const list = (branch: number) =>
      [0, 1, 2].map(index =>
        addressOfScript(deriveOutput(descriptor, { branch, index }).scriptPubKey, 'testnet4'),
      )
    expect(list(0)).toEqual(addresses.receiving.slice(0, 3))
    expect(list(1)).toEqual(addresses.change)
    expect(one).toMatchObject({ fingerprint: keystore.root_fingerprint, space: 'test' })
    expect(JSON.stringify(candidates)).not.toMatch(/prv/)
  })

  it.each([
    [
      'electrum-trezor',
      'sh(wpkh([ab543c67/49h/0h/0h]xpub6FFEQVG6QR28chQzgSJ7Gjx5j5BGLkCMgZ9bc41YJCXfwYiCKUQdcwm4Fe1stvzRjosz5udMedYZFRL56AeZXCsiVmnVUysio4jkAKTukmN/<0;1>/*))',
    ],
    ['keystone', 'wpkh([5271c071/84h/0h/0h]'],
    ['cobo', 'wpkh([73c5da0a/84h/0h/0h]'],
    ['specter', 'sh(wpkh([4df18faa/49h/0h/0h]'],
    ['specter-ledger', 'wpkh([309c1ac3/84h/1h/0h]'],
    ['specter-diy-keystore', 'wpkh([b317ec86/84h/1h/0h]'],
    ['sparrow-descriptor-multipath', SPARROW],
    ['sparrow-descriptor-receive', SPARROW],
    ['sparrow-descriptor-labelled', SPARROW],
    ['sparrow-descriptor-receive-change1', SPARROW],
    ['sparrow-descriptor-receive-change2', SPARROW],
  ])('%s has one account', (name, begin) => {
    const { candidates } = parseKeyFile(textOfKeyFile(name))
    expect(candidates).toHaveLength(1)
    expect(candidates[0]?.descriptor.startsWith(begin)).toBe(true)
    expect(candidates[0]?.descriptor).toContain('/<0;1>/*)')
  })

  it.each([
    ['coldcard-electrum-2-of-4', 'p2sh', 2, 4, null],
    ['electrum-multisig', 'p2sh-p2wsh', 2, 4, null],
    ['specter-multisig', 'p2wsh', 3, 4, 'specter-multisig'],
    ['specter-coldcard-trezor', 'p2wsh', 1, 2, 'MyTestMultisig'],
    ['specter-diy-export', 'p2wsh', 2, 3, 'Sparrow Multisig'],
    ['caravan-1', 'p2wsh', 2, 3, 'Test Wallet'],
    ['bsms', 'p2wsh', 2, 2, null],
    ['multisig-bw', 'p2wsh', 1, 3, 'Jade File Test'],
    ['multisig-jade', 'p2wsh', 1, 2, 'Jade_File_Test'],
    ['multisig-nunchuk', 'p2wsh', 2, 3, 'Jade File Test'],
    ['multisig-p2sh-p2wsh', 'p2sh-p2wsh', 2, 2, 'Test 17characters'],
    ['bluewallet-sparrow', 'p2wsh', 2, 3, 'name'],
    ['coldcard-multideriv', 'p2wsh', 3, 3, 'el-CC-3-of-3-sb-2'],
    ['unchained', 'p2sh', 2, 3, 'yIm388Ib_x3g6ruuY'],
  ])('%s has one account of several keys', (file, script, threshold, keys, name) => {
    const { candidates } = parseKeyFile(textOfKeyFile(file))
    expect(candidates).toHaveLength(1)
    expect(candidates[0]).toMatchObject({ policy: { script, threshold, keys }, name })
    expect(candidates[0]?.addressType).toBeNull()
    // BIP-129 says both branches, the others none or one.
    expect(candidates[0]?.hasAssumedBranches).toBe(file !== 'bsms')
  })

  // What BlueWallet's and Keystone's own tests expect of these files, and what BIP-129's file says itself.
  it.each([
    ['bluewallet-sparrow', 'bc1qtysquqsjqjfqvhd6l2h470hdgwhcahs4nq2ca49cyxftwjnjt9ssh8emel'],
    ['unchained', '3KEDMaBiSEmqvkjHgsFZt73MsArxK2LKKq'],
    ['keystone-multisig-p2sh', '3HzJmPbAqp1mdd6Xj4e5L6PpYSQb35WiWp'],
    ['keystone-multisig-p2sh-p2wsh', '3FZ2KV6x4BwzDFaPhLaJnAMJ284LGAsKV6'],
    ['keystone-multisig-p2wsh', 'bc1qr7y0qr6uqyspjtst0sex8hyj3g47dfz0v5njs9x22kk6jzz3ee4q6ukvh3'],
    ['keystone-multisig-paths', '3A3vK8133WTMePMpPDmZSqSqK3gobohtG8'],
    ['bsms', 'bc1qfagqa83vrv9phj0886rlx6d68zzd7gejtr0ns8xxfeckve27397q6vq47w'],
  ])('%s has the first address %s', (file, address) => {
    const [one] = parseKeyFile(textOfKeyFile(file)).candidates
    expect(firstAddressOf(one?.descriptor ?? '')).toBe(address)
  })

  it('of Electrum are read with the changes that it wrote behind them', () => {
    const text = `${textOfKeyFile('electrum-seed')},\n{"op": "add", "path": "/labels/a", "value": "b"},\n`
    expect(parseKeyFile(text)).toEqual(parseKeyFile(textOfKeyFile('electrum-seed')))
  })

  it('begin with a byte order mark or do not', () => {
    const text = textOfKeyFile('cobo')
    expect(parseKeyFile(`\uFEFF${text}`)).toEqual(parseKeyFile(text))
  })

  it('of Specter’s devices have an account for each key that signs alone', () => {
    const key = (type: string, path: string) => ({
      ...{ fingerprint: '73c5da0a', derivation: path, xpub: XPUB, type, purpose: 'a purpose' },
    })
    const keys = [key('wpkh', 'm/84h/0h/0h'), key('wsh', 'm/48h/0h/0h/2h'), key('tr', "m/0'/0'/0'")]
    const { candidates } = parseKeyFile(JSON.stringify({ label: 'device', keys }))
    expect(candidates.map(one => [one.descriptor, one.name])).toEqual([
      [withChecksum(`wpkh([73c5da0a/84h/0h/0h]${XPUB}/<0;1>/*)`), 'device'],
      [withChecksum(`tr([73c5da0a/0h/0h/0h]${XPUB}/<0;1>/*)`), 'device'],
    ])
  })

  it('of Caravan have the origin of each key, and need not say how many there are', () => {
    const text = textOfKeyFile('caravan-1')
    const [one] = parseKeyFile(text).candidates
    expect(one?.descriptor).toMatch(/^wsh\(sortedmulti\(2,\[8188029f\/48h\/0h\/0h\/2h\]xpub6EMV/)
    const { quorum, ...rest } = JSON.parse(text)
    const { totalSigners: _, ...less } = quorum
    expect(parseKeyFile(JSON.stringify({ ...rest, quorum: less })).candidates).toEqual([one])
  })

  it('of BlueWallet have a path of their own for each key, in a comment', () => {
    const [first = '', second = ''] = textOfKeyFile('multisig-bw').match(/\w{8}: Zpub\w+/g) ?? []
    const lines = ['Policy: 1 of 2', 'Format: P2WSH', '# derivation: m/1h', first]
    const text = [...lines, '# derivation: m/2h', second].join('\n')
    const [one] = parseKeyFile(text).candidates
    expect(one?.descriptor.match(/\[\w{8}\/\dh\]/g)).toEqual(['[b237fe9d/1h]', '[249192d2/2h]'])
  })

  it('have names that can be shown', () => {
    const file = (label: string) => JSON.stringify({ label, descriptor: SPARROW })
    const nameOf = (label: string) => parseKeyFile(file(label)).candidates[0]?.name
    expect(nameOf(' cold\n\u202Estorage\u0000 ')).toBe('cold storage')
    expect(nameOf(' \u200b ')).toBeNull()
    expect(nameOf('💰'.repeat(100))).toBe('💰'.repeat(64))
  })

  it('of Jade keep the order of keys that are not sorted', () => {
    const [one] = parseKeyFile(textOfKeyFile('multisig-jade')).candidates
    expect(one?.descriptor.startsWith('wsh(multi(1,[e3ebcc79/48h/0h/0h/2h]xpub6DKw8')).toBe(true)
  })

  it.each([
    ['electrum-encrypted', 'encrypted', /under a password/],
    ['coldcard-multisig-key', 'unsupported', /one key of several/],
    ['keystone-multisig-key', 'unsupported', /one key of several/],
    ['caravan-2', 'malformed', /from 1 to/],
    ['caravan-3', 'malformed', /expected 3 keys, found 2/],
    ['bsms-mismatch', 'malformed', /first address/],
  ])('%s is refused as %s', (file, problem, message) => {
    expect(refusalOfKeyFile(textOfKeyFile(file))).toMatchObject({ problem })
    expect(refusalOfKeyFile(textOfKeyFile(file)).message).toMatch(message)
  })
})

describe('a key that a person pastes', () => {
  it.each([
    [XPUB, 4, ['p2wpkh', 'p2tr', 'p2sh-p2wpkh', 'p2pkh']],
    [YPUB, 1, ['p2sh-p2wpkh']],
    [ZPUB, 1, ['p2wpkh']],
    [` ${ZPUB}\n`, 1, ['p2wpkh']],
    [`[73c5da0a/86'/0'/0']${XPUB}`, 1, ['p2tr']],
    [`[73C5DA0A/84h/0h/0h]${XPUB}/<0;1>/*`, 1, ['p2wpkh']],
    [`[73c5da0a/44H/0H/0H]${XPUB}/0/*`, 1, ['p2pkh']],
    [`[73c5da0a/0h]${XPUB}/**`, 4, ['p2wpkh', 'p2tr', 'p2sh-p2wpkh', 'p2pkh']],
  ])('%# gives accounts of the types that it can be of', (text, count, types) => {
    const { candidates } = parseKeyFile(text)
    expect(candidates).toHaveLength(count)
    expect(candidates.map(({ addressType }) => addressType)).toEqual(types)
    expect(candidates.every(one => one.hasAssumedBranches)).toBe(true)
  })

  it.each(slip132.accounts)('at $path has its published address', ({ public: key, address }) => {
    const { candidates } = parseKeyFile(key)
    expect(candidates.map(one => firstAddressOf(one.descriptor))).toContain(address)
  })

  it('says its fingerprint only where it is that of the master key', () => {
    const of = (text: string) => parseKeyFile(text).candidates[0]?.fingerprint
    expect(of(ZPUB)).toBeNull()
    expect(of(`[73c5da0a/84h/0h/0h]${ZPUB}`)).toBe('73c5da0a')
    // BIP-32's first vector: the master key, and its first child, which names it.
    expect(of(bip32[0]?.chains[0]?.xpub ?? '')).toBe('3442193e')
    expect(of(bip32[0]?.chains[1]?.xpub ?? '')).toBe('3442193e')
    expect(of(bip32[0]?.chains[2]?.xpub ?? '')).toBeNull()
  })
})

describe('descriptors that a person pastes', () => {
  const account = SPARROW.slice(0, SPARROW.indexOf('/<0;1>'))

  it('as Sparrow exports them, with comments, are one account', () => {
    const text = [
      '# Receive and change descriptor (BIP389):',
      SPARROW,
      '',
      '# Receive descriptor:',
      `${account}/0/*)#s5x06kda`,
      '',
      '# Change descriptor:',
      `${account}/1/*)#pqrw8ra9`,
    ].join('\r\n')
    const { format, candidates } = parseKeyFile(text)
    expect(format).toBe('descriptor')
    expect(candidates).toHaveLength(1)
    expect(candidates[0]).toMatchObject({ descriptor: SPARROW, hasAssumedBranches: false })
  })

  it('for receiving alone get the branch for change, and say so', () => {
    const [one] = parseKeyFile(`${account}/0/*)#s5x06kda`).candidates
    expect(one).toMatchObject({ descriptor: SPARROW, hasAssumedBranches: true })
  })

  it('with other branches stay as they are', () => {
    const [one] = parseKeyFile(withChecksum(`${account}/5/*)`)).candidates
    expect(one?.descriptor).toBe(withChecksum(`${account}/5/*)`))
  })

  it('with hardened steps marked by H, or keys of SLIP-132, are read', () => {
    const text = `wpkh([73c5da0a/84H/0H/0H]${ZPUB}/<0;1>/*)`
    const [one] = parseKeyFile(text).candidates
    const plain = parseKeyFile(`[73c5da0a/84h/0h/0h]${ZPUB}`).candidates[0]
    expect(one?.descriptor).toBe(plain?.descriptor)
    expect(parseKeyFile(withChecksum(text)).candidates[0]?.descriptor).toBe(plain?.descriptor)
  })

  it('with a plain key alone are an account of one address', () => {
    const key = '0260b2003c386519fc9eadf2b5cf124dd8eea4c4e68d5e154050a9346ea98ce600'
    expect(parseKeyFile(`wpkh(${key})`).candidates).toEqual([
      {
        ...{ descriptor: withChecksum(`wpkh(${key})`), addressType: 'p2wpkh', policy: null },
        ...{ space: null, fingerprint: null, name: null, hasAssumedBranches: false },
      },
    ])
  })

  it('of a master key say its fingerprint', () => {
    const master = bip32[0]?.chains[0]?.xpub ?? ''
    expect(parseKeyFile(`wpkh(${master}/<0;1>/*)`).candidates[0]?.fingerprint).toBe('3442193e')
    const { candidates } = parseKeyFile(`[3442193E]${master}`)
    expect(candidates.map(one => one.fingerprint)).toEqual(Array(4).fill('3442193e'))
    expect(candidates[0]?.descriptor).toMatch(/^wpkh\(\[3442193e\]xpub/)
  })

  it('with a wrong checksum are refused', () => {
    expect(refusalOfKeyFile(`${SPARROW.slice(0, -1)}q`)).toMatchObject({ problem: 'malformed' })
  })
})

describe('Bitcoin Core’s lists', () => {
  const list = (descriptors: object[], extra = {}) =>
    JSON.stringify({ wallet_name: 'savings', descriptors, ...extra })
  const account = SPARROW.slice(0, SPARROW.indexOf('/<0;1>'))
  const receive = {
    desc: `${account}/0/*)#s5x06kda`,
    active: true,
    internal: false,
    range: [0, 999],
  }
  const change = { desc: `${account}/1/*)#pqrw8ra9`, active: true, internal: true, range: [0, 999] }

  it('have one account for each pair, with the name of the wallet', () => {
    const pkh = (branch: number) => ({ desc: `pkh(${XPUB}/${branch}/*)`, internal: branch === 1 })
    const { format, candidates } = parseKeyFile(list([change, pkh(0), receive, pkh(1)]))
    expect(format).toBe('bitcoin-core')
    expect(candidates.map(one => one.descriptor).sort()).toEqual(
      [SPARROW, withChecksum(`pkh(${XPUB}/<0;1>/*)`)].sort(),
    )
    expect(candidates[0]).toMatchObject({ name: 'savings', hasAssumedBranches: false })
  })

  it('pass over what is not understood, unless there is nothing else', () => {
    const other = { desc: `wsh(and_v(v:pk(${XPUB}/0/*),older(9)))`, active: true }
    expect(parseKeyFile(list([other, receive, change])).candidates).toHaveLength(1)
    expect(refusalOfKeyFile(list([other]))).toMatchObject({ problem: 'unsupported' })
  })

  it('with private keys are refused, and the keys are not repeated', () => {
    const xprv = bip32[0]?.chains[0]?.xprv ?? ''
    const error = refusalOfKeyFile(
      list([receive, { desc: `wpkh(${xprv}/84h/0h/0h/0/*)`, active: true }]),
    )
    expect(error.problem).toBe('private')
    expect(`${error.message}${error.stack}`).not.toContain(xprv.slice(4, 20))
  })

  it('say themselves which of two is for change', () => {
    const swapped = [
      { ...receive, internal: true },
      { ...change, internal: false },
    ]
    const [one] = parseKeyFile(list(swapped)).candidates
    expect(one?.descriptor).toBe(withChecksum(`${account}/<1;0>/*)`))
    const both = [receive, { ...change, internal: false }]
    const two = parseKeyFile(list(both)).candidates
    // Two that are both for receiving are no pair.
    expect(two.map(one => one.descriptor)).toEqual([SPARROW])
  })

  it('are taken from the answer of a call, and as imports', () => {
    const answer = JSON.stringify({
      result: JSON.parse(list([receive, change])),
      error: null,
      id: 1,
    })
    expect(parseKeyFile(answer).candidates).toHaveLength(1)
    const imports = JSON.stringify([{ desc: SPARROW, timestamp: 'now' }])
    expect(parseKeyFile(imports).candidates[0]?.descriptor).toBe(SPARROW)
  })
})
