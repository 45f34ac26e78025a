import type { ComponentType } from 'react'
import type { HelpKey } from './help-words.ts'
import {
  CoinPicture,
  DustPicture,
  HeldCoinsPicture,
  PostagePicture,
  SatPicture,
} from './pictures/coin-pictures.tsx'
import {
  PsbtPicture,
  RecoveryWordsPicture,
  WatchOnlyPicture,
  WorstCasePicture,
} from './pictures/signing-pictures.tsx'
import {
  ConfirmationPicture,
  FeeRatePicture,
  SpeedUpPicture,
} from './pictures/transaction-pictures.tsx'
import type { Term } from './terms.ts'

type Explained = {
  Picture: ComponentType
  /** What it is. */
  is: HelpKey
  /** With numbers, those of the picture where it has any. */
  example: HelpKey
  /** What this wallet does about it. */
  here: HelpKey
  others: readonly Term[]
}

/** What is said of each word. */
export const EXPLANATIONS: { [term in Term]: Explained } = {
  coin: {
    Picture: CoinPicture,
    is: 'helpCoin',
    example: 'helpCoinExample',
    here: 'helpCoinHere',
    others: ['held-coins', 'dust', 'fee-rate'],
  },
  'fee-rate': {
    Picture: FeeRatePicture,
    is: 'helpFeeRate',
    example: 'helpFeeRateExample',
    here: 'helpFeeRateHere',
    others: ['speed-up', 'confirmation', 'sat'],
  },
  'speed-up': {
    Picture: SpeedUpPicture,
    is: 'helpSpeedUp',
    example: 'helpSpeedUpExample',
    here: 'helpSpeedUpHere',
    others: ['fee-rate', 'confirmation'],
  },
  confirmation: {
    Picture: ConfirmationPicture,
    is: 'helpConfirmation',
    example: 'helpConfirmationExample',
    here: 'helpConfirmationHere',
    others: ['fee-rate', 'speed-up'],
  },
  'held-coins': {
    Picture: HeldCoinsPicture,
    is: 'helpHeldCoins',
    example: 'helpHeldCoinsExample',
    here: 'helpHeldCoinsHere',
    others: ['coin', 'dust', 'postage'],
  },
  dust: {
    Picture: DustPicture,
    is: 'helpDust',
    example: 'helpDustExample',
    here: 'helpDustHere',
    others: ['coin', 'held-coins'],
  },
  sat: {
    Picture: SatPicture,
    is: 'helpSat',
    example: 'helpSatExample',
    here: 'helpSatHere',
    others: ['coin', 'postage'],
  },
  postage: {
    Picture: PostagePicture,
    is: 'helpPostage',
    example: 'helpPostageExample',
    here: 'helpPostageHere',
    others: ['sat', 'held-coins', 'coin'],
  },
  psbt: {
    Picture: PsbtPicture,
    is: 'helpPsbt',
    example: 'helpPsbtExample',
    here: 'helpPsbtHere',
    others: ['worst-case', 'coin'],
  },
  'worst-case': {
    Picture: WorstCasePicture,
    is: 'helpWorstCase',
    example: 'helpWorstCaseExample',
    here: 'helpWorstCaseHere',
    others: ['psbt'],
  },
  'recovery-words': {
    Picture: RecoveryWordsPicture,
    is: 'helpRecoveryWords',
    example: 'helpRecoveryWordsExample',
    here: 'helpRecoveryWordsHere',
    others: ['watch-only'],
  },
  'watch-only': {
    Picture: WatchOnlyPicture,
    is: 'helpWatchOnly',
    example: 'helpWatchOnlyExample',
    here: 'helpWatchOnlyHere',
    others: ['recovery-words', 'psbt'],
  },
}
