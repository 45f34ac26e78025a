import { useEffect, useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { explainError } from '../../state/explain-error.ts'
import { useLatest } from '../../state/latest.ts'
import { askLines, type Scan, startFurther, startScan } from './restore-scan.ts'

export type ScanState = {
  scan: Scan
  status: 'ready' | 'running' | 'stopped' | 'failed' | 'done'
  /** Why the last question had no answer. */
  problem: string | null
}

/** A search for used addresses of a wallet that can be stopped and taken up again; what was found stays. */
export function useScan(phraseId: string | null): ScanState & {
  start: () => void
  further: () => void
  stop: () => void
} {
  const [state, setState] = useState<ScanState>(() => ({
    scan: startScan(),
    status: 'ready',
    problem: null,
  }))
  const latest = useLatest()
  useEffect(() => latest.cancel, [latest])

  const run = async (from: Scan) => {
    const isLatest = latest.begin()
    setState({ scan: from, status: 'running', problem: null })
    let shown = from
    try {
      await askLines(from, {
        ask: question =>
          call('scanAddresses', { ...question, ...(phraseId !== null && { phraseId }) }),
        show(scan) {
          if (!isLatest()) return false
          shown = scan
          setState({ scan, status: 'running', problem: null })
          return true
        },
      })
      if (isLatest()) setState({ scan: shown, status: 'done', problem: null })
    } catch (error) {
      if (isLatest()) setState({ scan: shown, status: 'failed', problem: explainError(error) })
    }
  }
  return {
    ...state,
    start: () => void run(state.scan),
    further: () => void run(startFurther(state.scan)),
    stop() {
      latest.cancel()
      setState({ ...state, status: 'stopped' })
    },
  }
}
