import { type Check, describeMistakes, describeOperation, describeRejection } from './check.ts'
import { describe, expect, type Kit } from './kit.ts'
import type { PsbtKind, ReadInput } from './material.ts'
import { asText, asTexts } from './shapes.ts'

const NEEDS = ['connected', 'devnet'] as const
const HEX = 'string, hex of the signed PSBT'
const ENTRY = 'toSignInputs entry (PSBT signing)'
const TO_SIGN = 'which inputs to sign'
const FINALIZE = 'whether to finalize the PSBT after signing'

type Entry = { [member: string]: unknown }

/** Options that name inputs of the account. */
export async function naming(kit: Kit, ...entries: Entry[]): Promise<object> {
  const { address } = await kit.account()
  return { toSignInputs: entries.map(entry => ({ index: 0, address, ...entry })) }
}

/** Has a PSBT of this kind signed; gives it, and what stands at its inputs. */
export async function sign(
  kit: Kit,
  kind: PsbtKind,
  ...options: unknown[]
): Promise<{ signed: string; inputs: ReadInput[]; txid: string }> {
  const [unsigned] = await kit.material.psbts(kind)
  return signGiven(kit, unsigned, unsigned, ...options)
}

async function signGiven(kit: Kit, unsigned: string, spelled: string, ...options: unknown[]) {
  const args = [spelled, ...options]
  const signed = asText(await kit.resolve('signPsbt', args, 'approve'), 'signPsbt')
  expect(/^70736274ff[0-9a-f]+$/.test(signed), `expected a PSBT in hex, got ${describe(signed)}`)
  kit.evidence({ kind: 'psbt', unsigned, signed })
  const before = await kit.material.read(unsigned)
  const { inputs, txid } = await kit.material.read(signed)
  expect(before.txid === txid, `another transaction came back: ${txid} for ${before.txid}`)
  for (const [index, { valid }] of inputs.entries())
    expect(valid !== false, `the signature of input ${index} is not valid`)
  return { signed, inputs, txid }
}

const statesOf = (inputs: readonly ReadInput[]) => inputs.map(({ state }) => state).join(', ')

function expectStates(inputs: readonly ReadInput[], states: string): string {
  expect(statesOf(inputs) === states, `expected ${states}; got ${statesOf(inputs)}`)
  return states
}

/** The signed transaction, completed by another library, is one that the network takes. */
async function expectPushed(kit: Kit, signed: string, txid: string): Promise<string> {
  const raw = await kit.material.finalize(signed)
  const pushed = await kit.resolve('pushTx', [raw], 'approve if asked')
  expect(pushed === txid, `pushTx resolves ${describe(pushed)} for ${txid}`)
  expect(await kit.chain.has(txid), `${txid} is not on the chain`)
  return `${txid} is on the chain`
}

export const SIGN_CHECKS: readonly Check[] = [
  ...describeOperation('signPsbt', [
    {
      id: 'default.autoFinalized',
      name: 'finalizes where no options are given',
      section: 'Limits',
      words: 'signPsbt autoFinalized default',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => expectStates((await sign(kit, 'pay')).inputs, 'final'),
    },
    {
      id: 'undefined',
      name: 'takes undefined for options, and for members of them, that are left out',
      words: HEX,
      needs: NEEDS,
      person: ['approve', 'approve'],
      async run(kit) {
        expectStates((await sign(kit, 'pay', undefined)).inputs, 'final')
        const members = { autoFinalized: undefined, toSignInputs: undefined }
        return expectStates((await sign(kit, 'pay', members)).inputs, 'final')
      },
    },
    {
      id: 'autoFinalized.true',
      name: 'finalizes where it is told to',
      words: FINALIZE,
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const { inputs } = await sign(kit, 'pay', { autoFinalized: true })
        return expectStates(inputs, 'final')
      },
    },
    {
      id: 'autoFinalized.false',
      name: 'leaves the signature where it is told not to finalize, and another library completes it',
      words: FINALIZE,
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const { inputs, signed, txid } = await sign(kit, 'pay', { autoFinalized: false })
        expectStates(inputs, 'signed')
        return expectPushed(kit, signed, txid)
      },
    },
    {
      id: 'traverses',
      name: 'signs every input of the account, and no other, where none is named',
      words: 'Signing traverses all inputs that match the current address',
      needs: NEEDS,
      person: ['approve'],
      run: async kit => expectStates((await sign(kit, 'mixed')).inputs, 'final, unsigned, final'),
    },
    {
      id: 'toSignInputs.address',
      name: 'signs only the input that is named by index and address',
      section: ENTRY,
      words: 'selects the private key to sign with',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const named = await naming(kit, { index: 2, publicKey: undefined, sighashTypes: undefined })
        return expectStates((await sign(kit, 'mixed', named)).inputs, 'unsigned, unsigned, final')
      },
    },
    {
      id: 'toSignInputs.publicKey',
      name: 'signs only the input that is named by index and public key',
      section: ENTRY,
      words: 'one of address or publicKey is required',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const { publicKey } = await kit.account()
        const toSignInputs = [{ index: 0, publicKey }]
        const { inputs } = await sign(kit, 'mixed', { toSignInputs, autoFinalized: false })
        return expectStates(inputs, 'signed, unsigned, unsigned')
      },
    },
    {
      id: 'toSignInputs.sighashTypes',
      name: 'signs with a sighash type that is allowed and asked for',
      section: ENTRY,
      words: 'sighash types',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const named = await naming(kit, { sighashTypes: [1] })
        const { inputs } = await sign(kit, 'pay-all', named)
        expect(inputs[0]?.sighash === 1, `the signature has the sighash ${inputs[0]?.sighash}`)
        return expectStates(inputs, 'final')
      },
    },
    {
      id: 'toSignInputs.disableTweakSigner.false',
      name: 'signs with the tweaked key where the tweak is not disabled',
      section: ENTRY,
      words: 'Taproot signing uses the tweak signer by default',
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const named = await naming(kit, { disableTweakSigner: false })
        return expectStates((await sign(kit, 'pay', named)).inputs, 'final')
      },
    },
    {
      id: 'toSignInputs.disableTweakSigner.true',
      name: 'signs with the original key where the tweak is disabled, and the network takes it',
      section: ENTRY,
      words: 'true signs with the original private key',
      needs: NEEDS,
      person: ['approve', 'approve if asked'],
      async run(kit) {
        const named = await naming(kit, { disableTweakSigner: true })
        const { inputs, signed, txid } = await sign(kit, 'pay-untweaked', {
          ...named,
          autoFinalized: false,
        })
        expectStates(inputs, 'signed')
        return expectPushed(kit, signed, txid)
      },
    },
  ]),
  ...describeRejection('signPsbt', kit => kit.material.psbts('pay'), NEEDS),
  ...describeMistakes(
    'signPsbt',
    describePsbtMistakes('psbtHex', psbt => psbt),
  ),
  ...describeMistakes(
    'signPsbt',
    describeOptionMistakes(psbt => psbt),
  ),
  ...describeOperation('signPsbts', [
    {
      id: 'default.autoFinalized',
      name: 'signs each of a list, and finalizes where no options are given',
      words: 'string[], hex strings of the signed PSBTs',
      needs: NEEDS,
      person: ['approve'],
      run: kit => signBoth(kit, 'final'),
    },
    {
      id: 'autoFinalized.false',
      name: 'leaves the signatures where it is told not to finalize',
      words: FINALIZE,
      needs: NEEDS,
      person: ['approve'],
      async run(kit) {
        const named = await naming(kit, { sighashTypes: undefined })
        return signBoth(kit, 'signed', { ...named, autoFinalized: false })
      },
    },
    {
      id: 'undefined',
      name: 'takes undefined for options that are left out',
      words: 'psbtHexs: string[], [options]',
      needs: NEEDS,
      person: ['approve'],
      run: kit => signBoth(kit, 'final', undefined),
    },
  ]),
  ...describeRejection('signPsbts', async kit => [await kit.material.psbts('chain')], NEEDS),
  ...describeMistakes('signPsbts', [
    {
      parameter: 'psbtHexs',
      words: 'psbtHexs: string[]',
      cases: {
        missing: () => [],
        text: () => ['70736274ff'],
        'empty list': () => [[]],
        'no PSBT': () => [['hello']],
        number: () => [[7]],
      },
    },
  ]),
  ...describeMistakes(
    'signPsbts',
    describeOptionMistakes(psbt => [psbt]),
  ),
]

/** Two payments, the second from the change of the first. */
async function signBoth(kit: Kit, state: string, ...options: unknown[]): Promise<string> {
  const unsigned = await kit.material.psbts('chain')
  const args = [unsigned, ...options]
  const signed = asTexts(await kit.resolve('signPsbts', args, 'approve'), 'signPsbts')
  expect(signed.length === unsigned.length, `${signed.length} PSBTs for ${unsigned.length}`)
  for (const [at, psbt] of signed.entries()) {
    kit.evidence({ kind: 'psbt', unsigned: String(unsigned[at]), signed: psbt })
    const [before, after] = [
      await kit.material.read(String(unsigned[at])),
      await kit.material.read(psbt),
    ]
    expect(before.txid === after.txid, 'another transaction came back, or in another order')
    for (const { valid } of after.inputs) expect(valid !== false, 'a signature is not valid')
    expectStates(after.inputs, state)
  }
  return `${state}, ${state}`
}

function describePsbtMistakes(parameter: string, wrap: (psbt: unknown) => unknown) {
  return [
    {
      parameter,
      words: 'psbtHex: string',
      cases: {
        missing: () => [],
        number: () => [wrap(7)],
        object: () => [wrap({})],
        'no PSBT': () => [wrap('hello')],
        empty: () => [wrap('')],
        'cut off': () => [wrap('70736274ff01')],
      },
    },
  ]
}

/** What a page may get wrong in the options, beside a PSBT that is right. */
function describeOptionMistakes(wrap: (psbt: string) => unknown) {
  const withOptions = (make: (address: string) => unknown) => async (kit: Kit) => {
    const [psbt] = await kit.share('a PSBT for mistakes', () => kit.material.psbts('pay'))
    return [wrap(psbt), make((await kit.account()).address)]
  }
  const withEntry = (change: (address: string) => object) =>
    withOptions(address => ({ toSignInputs: [{ index: 0, ...change(address) }] }))
  return [
    {
      parameter: 'options',
      words: FINALIZE,
      needs: NEEDS,
      cases: {
        text: withOptions(() => 'finalize'),
        number: withOptions(() => 7),
      },
    },
    {
      parameter: 'autoFinalized',
      words: FINALIZE,
      needs: NEEDS,
      cases: {
        text: withOptions(() => ({ autoFinalized: 'yes' })),
        number: withOptions(() => ({ autoFinalized: 1 })),
      },
    },
    {
      parameter: 'toSignInputs',
      words: TO_SIGN,
      needs: NEEDS,
      cases: {
        text: withOptions(() => ({ toSignInputs: 'all' })),
        object: withOptions(() => ({ toSignInputs: {} })),
        'list of null': withOptions(() => ({ toSignInputs: [null] })),
        'neither address nor publicKey': withEntry(() => ({})),
      },
    },
    {
      parameter: 'index',
      section: ENTRY,
      words: 'which input to sign',
      needs: NEEDS,
      cases: {
        missing: withOptions(address => ({ toSignInputs: [{ address }] })),
        text: withEntry(address => ({ address, index: '0' })),
        negative: withEntry(address => ({ address, index: -1 })),
        'behind the last': withEntry(address => ({ address, index: 99 })),
      },
    },
    {
      parameter: 'address',
      section: ENTRY,
      words: 'selects the private key to sign with',
      needs: NEEDS,
      cases: {
        number: withEntry(() => ({ address: 7 })),
        'of somebody else': withEntry(() => ({
          address: 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080',
        })),
      },
    },
    {
      parameter: 'publicKey',
      section: ENTRY,
      words: 'one of address or publicKey is required',
      needs: NEEDS,
      cases: {
        number: withEntry(() => ({ publicKey: 7 })),
        'of somebody else': withEntry(() => ({
          publicKey: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
        })),
      },
    },
    {
      parameter: 'sighashTypes',
      section: ENTRY,
      words: 'sighash types',
      needs: NEEDS,
      cases: {
        number: withEntry(address => ({ address, sighashTypes: 1 })),
        'list of text': withEntry(address => ({ address, sighashTypes: ['ALL'] })),
        negative: withEntry(address => ({ address, sighashTypes: [-1] })),
      },
    },
    {
      parameter: 'disableTweakSigner',
      section: ENTRY,
      words: 'Taproot signing uses the tweak signer by default',
      needs: NEEDS,
      cases: { text: withEntry(address => ({ address, disableTweakSigner: 'yes' })) },
    },
  ]
}
