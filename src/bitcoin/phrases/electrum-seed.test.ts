import { describe, expect, it } from 'vitest'
import { BIP39_VECTORS } from '../testing/bip39-vectors.ts'
import { identifyElectrumSeed } from './electrum-seed.ts'

/**
 * Of https://github.com/spesmilo/electrum/blob/923578010e56243ee85b3965604d6ad6974d8f33/tests/test_mnemonic.py (MIT licence, copyright
 * of the Electrum developers).
 */
const ELECTRUM_SEEDS = [
  ['cram swing cover prefer miss modify ritual silly deliver chunk behind inform able', 'standard'],
  ['cram swing cover prefer miss modify ritual silly deliver chunk behind inform', null],
  ['ostrich security deer aunt climb inner alpha arm mutual marble solid task', 'standard'],
  [
    '   oStRiCh sEcUrItY DeEr aUnT ClImB       InNeR AlPhA ArM MuTuAl mArBlE   SoLiD TaSk  ',
    'standard',
  ],
  ['science dawn member doll dutch real can brick knife deny drive list', '2fa'],
  ['science dawn member doll dutch real ca brick knife deny drive list', null],
  [' sCience dawn   member doll Dutch rEAl can brick knife deny drive  lisT', '2fa'],
  [
    'bind clever room kidney crucial sausage spy edit canvas soul liquid ribbon slam open alpha suffer gate relax voice carpet law hill woman tonight abstract',
    '2fa',
  ],
  [
    'sibling leg cable timber patient foot occur plate travel finger chef scale radio citizen promote immune must chef fluid sea sphere common acid lab',
    '2fa',
  ],
  ['frost pig brisk excite novel report camera enlist axis nation novel desert', 'segwit'],
  ['wild father tree among universe such mobile favorite target dynamic credit identify', 'segwit'],
  // With accents, composed and apart.
  [
    'almíbar tibio superar vencer hacha peatón príncipe matar consejo polen vehículo odisea',
    'standard',
  ],
  ['equipo fiar auge langosta hacha calor trance cubrir carro pulmón oro áspero', 'segwit'],
] as const

describe('Electrum’s own seeds', () => {
  it.each(ELECTRUM_SEEDS)('%s is %s', (words, type) => {
    expect(identifyElectrumSeed(words)).toBe(type)
  })

  it('are none of the vectors of BIP-39', () => {
    for (const [, , mnemonic] of BIP39_VECTORS) expect(identifyElectrumSeed(mnemonic)).toBeNull()
  })

  it('are not seen in what is too short to be one', () => {
    // Electrum’s tests have these as the shortest texts with its versions.
    for (const short of ['x8', '9dk', 'abandon bike', 'agree install', ''])
      expect(identifyElectrumSeed(short)).toBeNull()
  })
})
