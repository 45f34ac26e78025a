import { type Check, describeMistakes, describeOperation, describeRejection } from './check.ts'
import { expect, type Kit } from './kit.ts'
import { verifyMessage } from './material.ts'
import { asText } from './shapes.ts'

const SIGNATURE = 'string, the signature'

/** Has a message signed, and verifies it with independent libraries. */
async function sign(
  kit: Kit,
  message: string,
  type: string,
  ...options: unknown[]
): Promise<string> {
  const account = await kit.account()
  const args = [message, ...options]
  const signature = asText(await kit.resolve('signMessage', args, 'approve'), 'signMessage')
  const fields = { message, type, ...account, signature }
  kit.evidence({ kind: 'message', ...fields })
  const bytes = lengthOfBase64(signature)
  if (type === 'ecdsa') expect(bytes === 65, `expected 65 bytes in base64, got ${signature}`)
  else expect(bytes > 65, `expected a witness in base64, got ${signature}`)
  const valid = await verifyMessage(fields)
  expect(valid !== false, `the signature is not valid: ${signature}`)
  return `${valid ? 'valid' : 'not verified'}: ${signature}`
}

function lengthOfBase64(text: string): number {
  try {
    return atob(text).length
  } catch {
    return 0
  }
}

export const MESSAGE_CHECKS: readonly Check[] = [
  ...describeOperation('signMessage', [
    {
      id: 'default.type',
      name: 'signs as ecdsa where no type is given',
      section: 'Limits',
      words: 'signMessage type default',
      person: ['approve'],
      run: kit => sign(kit, 'Conformance: no type', 'ecdsa'),
    },
    {
      id: 'undefined',
      name: 'takes undefined for the type that is left out, and any text',
      words: 'type: ecdsa or bip322-simple, default ecdsa',
      person: ['approve'],
      run: kit => sign(kit, 'Grüße, 世界 🧡\nin two lines', 'ecdsa', undefined),
    },
    {
      id: 'ecdsa',
      name: 'signs as ecdsa',
      words: SIGNATURE,
      person: ['approve'],
      run: kit => sign(kit, 'Conformance: ecdsa', 'ecdsa', 'ecdsa'),
    },
    {
      id: 'bip322-simple',
      name: 'signs as bip322-simple',
      words: 'type: ecdsa or bip322-simple',
      person: ['approve'],
      run: kit => sign(kit, 'Conformance: bip322-simple', 'bip322-simple', 'bip322-simple'),
    },
  ]),
  ...describeRejection('signMessage', async kit => {
    await kit.account()
    return ['Conformance: reject this']
  }),
  ...describeMistakes('signMessage', [
    {
      parameter: 'signStr',
      words: 'signStr: string',
      cases: { missing: () => [], number: () => [7], null: () => [null], object: () => [{}] },
    },
    {
      parameter: 'type',
      words: 'type: ecdsa or bip322-simple',
      cases: {
        unknown: () => ['hello', 'schnorr'],
        'in capitals': () => ['hello', 'ECDSA'],
        number: () => ['hello', 7],
        list: () => ['hello', ['ecdsa']],
      },
    },
  ]),
]
