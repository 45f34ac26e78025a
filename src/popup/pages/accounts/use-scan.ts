import { useEffect, useRef, useState } from 'react'
import { call } from '../../platform/rpc.ts'
import { explainError } from '../../state/explain-error.ts'
import { addAnswer, nextQuestion, type Scan, startScan } from './restore-scan.ts'

export type ScanState = {
  scan: Scan
  status: 'ready' | 'running' | 'stopped' | 'failed' | 'done'
  /** Why the last question had no answer. */
  problem: string | null
}

/** A search for used addresses that can be stopped and taken up again; what was found stays. */
export function useScan(): ScanState & { start: () => void; stop: () => void } {
  const [state, setState] = useState<ScanState>(() => ({
    scan: startScan(),
    status: 'ready',
    problem: null,
  }))
  /** Counts starts and stops: an answer to an earlier run changes nothing any more. */
  const turn = useRef(0)
  useEffect(() => {
    return () => {
      turn.current += 1
    }
  }, [])

  const run = async (from: Scan) => {
    turn.current += 1
    const mine = turn.current
    let scan = from
    setState({ scan, status: 'running', problem: null })
    try {
      for (let question = nextQuestion(scan); question; question = nextQuestion(scan)) {
        const answer = await call('scanAddresses', question)
        if (mine !== turn.current) return
        scan = addAnswer(scan, question, answer)
        setState({ scan, status: 'running', problem: null })
      }
      setState({ scan, status: 'done', problem: null })
    } catch (error) {
      if (mine !== turn.current) return
      setState({ scan, status: 'failed', problem: explainError(error) })
    }
  }
  return {
    ...state,
    start: () => void run(state.scan),
    stop() {
      turn.current += 1
      setState({ ...state, status: 'stopped' })
    },
  }
}
