import { currentLanguage } from '../../platform/words.ts'

/** "546 bytes", "12.3 kB". */
export function formatSize(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte'] as const
  const step = bytes < 1000 ? 0 : bytes < 1_000_000 ? 1 : 2
  return (bytes / 1000 ** step).toLocaleString(currentLanguage(), {
    style: 'unit',
    unit: units[step],
    unitDisplay: step === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  })
}
