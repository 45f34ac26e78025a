import type { ChangedRecordView, Settings } from '../../src/background/views/settings-views.ts'
import { type Answers, failing, SETTINGS, type Shot, silent, stateWith, value } from './shot.ts'

/** One of each kind, and one that was taken away. */
const CHANGED: { records: ChangedRecordView[]; digest: string } = {
  digest: 'ab'.repeat(32),
  records: [
    {
      record: 'sites',
      entries: [
        { name: 'https://ordinals-market.example', detail: '', network: 'mainnet' },
        { name: 'https://free-airdrop.example', detail: '', network: 'mainnet' },
      ],
    },
    { record: 'contacts', entries: [] },
    {
      record: 'servers',
      entries: [
        { name: 'chain', detail: 'https://mempool.evil.example/api', network: 'mainnet' },
        { name: 'assets', detail: 'https://ord.evil.example', network: 'testnet4' },
      ],
    },
    { record: 'switches', entries: [{ name: 'burnAssets', detail: '', network: null }] },
  ],
}

function forged(answers: Answers, language: Settings['language'] = 'auto'): Answers {
  const state = stateWith({ hasChangedRecords: true, settings: { ...SETTINGS, language } })
  return { getState: value(state), touch: value(null), ...answers }
}

/** What somebody else wrote into the wallet's storage. */
export const shots: Shot[] = [
  { name: 'changed-records', answers: forged({ getChangedRecords: value(CHANGED) }) },
  {
    name: 'changed-records-german',
    answers: forged({ getChangedRecords: value(CHANGED) }, 'de'),
  },
  {
    name: 'changed-records-tab',
    surface: 'tab',
    answers: forged({ getChangedRecords: value(CHANGED) }),
  },
  { name: 'changed-records-loading', answers: forged({ getChangedRecords: silent }) },
  {
    name: 'changed-records-again',
    answers: forged({
      getChangedRecords: value(CHANGED),
      settleChangedRecords: failing(-32602, 'digest: it changed meanwhile'),
    }),
    act: screen => screen.click('button', 'Discard'),
  },
]
