import type { Network } from '../network.ts'

/** What a chain asks of its headers, with the names of Bitcoin Core's consensus parameters (kernel/chainparams.cpp). */
export type Consensus = {
  /** The easiest target. */
  powLimit: bigint
  /** nPowTargetSpacing, in milliseconds. */
  targetSpacing: number
  /** Blocks with the same difficulty (DifficultyAdjustmentInterval); null where it never changes (fPowNoRetargeting). */
  adjustmentInterval: number | null
  /** fPowAllowMinDifficultyBlocks: a block more than two spacings after the one before it has the easiest target. */
  allowsMinDifficulty: boolean
  /** enforce_BIP94, of Testnet4: an adjustment goes by the first target of its period, and the clock is not set back. */
  hasBip94: boolean
  /** From these heights on, a header's version is at least 2, 3 and 4 (BIP-34, BIP-66, BIP-65). */
  versionHeights: readonly [number, number, number]
}

const TEN_MINUTES = 600_000

const MAINNET: Consensus = {
  powLimit: (1n << 224n) - 1n,
  targetSpacing: TEN_MINUTES,
  adjustmentInterval: 2016,
  allowsMinDifficulty: false,
  hasBip94: false,
  versionHeights: [227_931, 363_725, 388_381],
}

export const CONSENSUS: { readonly [N in Network]: Consensus } = {
  mainnet: MAINNET,
  testnet4: { ...MAINNET, allowsMinDifficulty: true, hasBip94: true, versionHeights: [1, 1, 1] },
  signet: { ...MAINNET, powLimit: 0x377aen << 216n, versionHeights: [1, 1, 1] },
  regtest: {
    powLimit: (1n << 255n) - 1n,
    targetSpacing: TEN_MINUTES,
    adjustmentInterval: null,
    allowsMinDifficulty: true,
    hasBip94: false,
    versionHeights: [1, 1, 1],
  },
}
