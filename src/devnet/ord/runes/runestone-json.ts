import type { Etching, Flaw, Runestone } from '../../../ordinals/runes/runestone.ts'
import { formatRuneName } from './rune-name.ts'

/** ord's names of flaws; what is no data push is an `opcode` there, unless the script is cut off. */
const FLAWS: Record<Flaw, string> = {
  script: 'opcode',
  varint: 'varint',
  'truncated-field': 'truncated_field',
  'trailing-integers': 'trailing_integers',
  'edict-rune-id': 'edict_rune_id',
  'edict-output': 'edict_output',
  'supply-overflow': 'supply_overflow',
  'unrecognized-flag': 'unrecognized_flag',
  'unrecognized-even-tag': 'unrecognized_even_tag',
}

/** The artifact of ord's `/decode`. */
export function describeRunestone(runestone: Runestone) {
  if (runestone.kind === 'none') return null
  if (runestone.kind === 'cenotaph') {
    const { etching, flaw, mint } = runestone
    const name = etching === null ? null : formatRuneName(etching)
    return { Cenotaph: { etching: name, flaw: FLAWS[flaw], mint } }
  }
  const { edicts, etching, mint, pointer } = runestone
  return {
    Runestone: {
      edicts: edicts.map(({ rune, amount, output }) => ({ id: rune, amount, output })),
      etching: etching && describeEtching(etching),
      mint,
      pointer,
    },
  }
}

function describeEtching({ rune, terms, ...etching }: Etching) {
  return {
    ...etching,
    rune: rune === null ? null : formatRuneName(rune),
    terms: terms && {
      amount: terms.amount,
      cap: terms.cap,
      height: [terms.height.start, terms.height.end],
      offset: [terms.offset.start, terms.offset.end],
    },
  }
}
