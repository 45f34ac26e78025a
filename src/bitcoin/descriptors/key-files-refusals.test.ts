import { describe, expect, it } from 'vitest'
import { refusalOfKeyFile, textOfKeyFile } from '../testing/key-files.ts'
import bip32 from '../testing/vectors/bip32.json' with { type: 'json' }
import slip132 from '../testing/vectors/slip132.json' with { type: 'json' }
import { MAX_KEY_FILE_LENGTH } from './key-files.ts'

const XPUB = slip132.accounts[0]?.public ?? ''
const DESCRIPTOR = `wpkh(${XPUB}/<0;1>/*)`
/** A key of one signer of several. */
const COSIGNER = /Zpub\w+/.exec(textOfKeyFile('multisig-bw'))?.[0] ?? ''

describe('a text without accounts', () => {
  const xprv = bip32[1]?.chains[0]?.xprv ?? ''
  it.each([
    ['', 'unknown', /found nothing; understood are/],
    ['U1BSVzEeO0vCCaJ0C+yv91xHOivxQklFMQM8Z+yJUyrrWWhz', 'encrypted', /Sparrow’s own wallet/],
    [
      'H:2,block:8,blockSize:1000,chunk:b,clean:1,created:1904d2a5b4e\u0000',
      'encrypted',
      /Sparrow/,
    ],
    ['hello', 'unknown', /found text of 5 characters/],
    ['bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu', 'unknown', /found an address/],
    ['cHNidP8BAHECAAAAAQ==', 'unknown', /found a PSBT/],
    ['UR:CRYPTO-HDKEY/ONAXHDCLAX', 'unknown', /animated QR code/],
    ['{"a": 1}', 'unknown', /JSON without keys/],
    ['{"a": ', 'unknown', /JSON without keys/],
    ['[]', 'unsupported', /without any/],
    [xprv, 'private', /found a private one/],
    [`[deadbeef/84h]${xprv}`, 'private', /found a private one/],
    [JSON.stringify({ secret: xprv }), 'private', /nothing else is needed/],
    ['L4rK1yDtCWekvXuE6oXD9jCYfFNV2cWRpVuPLBcCU2z8TrisoyY1', 'private', /private keys/],
    [slip132.mnemonic, 'private', /recovery phrase/],
    [`${XPUB.slice(0, -1)}`, 'malformed', /expected 111 letters/],
    [
      JSON.stringify({ ExtPubKey: XPUB, AccountKeyPath: 'x' }),
      'malformed',
      /a path of a key such as/,
    ],
    [
      JSON.stringify({ ExtPubKey: XPUB, MasterFingerprint: 7 }),
      'malformed',
      /MasterFingerprint to be text/,
    ],
    [`Policy: at least 1 of 1\n73c5da0a: ${XPUB}`, 'malformed', /a policy such as 2 of 3/],
    [`Policy: 1 of 1\nFormat: P2TR\n73c5da0a: ${XPUB}`, 'unsupported', /P2WSH, P2SH-P2WSH or P2SH/],
    [`Policy: 1 of 1\nName: a\nName: b\n73c5da0a: ${XPUB}`, 'malformed', /each field once/],
    [`Policy: 1 of 1\nDerivation: x\n73c5da0a: ${XPUB}`, 'malformed', /a path of a key such as/],
    [`${XPUB}/7/*`, 'unsupported', /branches/],
    [COSIGNER, 'unsupported', /^key file: Zpub is one key of several/],
    [JSON.stringify({ keys: [{ type: 'wsh', xpub: XPUB }] }), 'unsupported', /signs alone/],
    [
      JSON.stringify({ keys: Array(21).fill({ type: 'tr', xpub: XPUB }) }),
      'unsupported',
      /signs alone/,
    ],
    [JSON.stringify({ wallet_type: '2of21' }), 'unsupported', /at most 20 keys/],
    [JSON.stringify({ wallet_type: '2of2', 'x1/': { xpub: XPUB } }), 'malformed', /x2/],
    [
      JSON.stringify({ wallet_type: '1of2', 'x1/': { xpub: XPUB }, 'x2/': { xpub: COSIGNER } }),
      'malformed',
      /one kind of script/,
    ],
    [
      JSON.stringify({ descriptors: Array(101).fill({ desc: DESCRIPTOR }) }),
      'too-large',
      /at most 100/,
    ],
    [`${XPUB}/*/0`, 'unsupported', /branches/],
    [JSON.stringify({ wallet_type: 'imported' }), 'unsupported', /without an extended/],
    [JSON.stringify({ wallet_type: '2of3', 'x1/': 5 }), 'malformed', /x1/],
    [JSON.stringify({ descriptor: 5 }), 'malformed', /descriptor to be text/],
    [JSON.stringify({ xfp: 'x', bip84: { xpub: XPUB, deriv: 'm/84h' } }), 'malformed', /8 hex/],
    ['Policy: 2 of 3\nFormat: P2WSH\n', 'malformed', /expected 3 keys, found 0/],
    [`Policy: 2 of 1\n73c5da0a: ${XPUB}`, 'malformed', /from 1 to/],
    [`Policy: 1 of 1\nseed: ${slip132.mnemonic}`, 'private', /recovery phrase/],
    ['x'.repeat(MAX_KEY_FILE_LENGTH + 1), 'too-large', /at most 1048576/],
    [`${XPUB}\n`.repeat(21), 'too-large', /at most 20 keys/],
    [`${XPUB} `.repeat(1_501), 'too-large', /at most 1500 keys/],
  ])('%# is refused with what was found', (text, problem, message) => {
    const error = refusalOfKeyFile(text)
    expect(error.problem).toBe(problem)
    expect(error.message).toMatch(message)
    expect(error.message).not.toMatch(/prv[1-9A-Za-z]{8}|abandon abandon/)
  })
})
