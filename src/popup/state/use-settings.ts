import { useState } from 'react'
import type { Settings } from '../../background/views/settings-views.ts'
import { call } from '../platform/rpc.ts'
import type { PageProps } from './page-props.ts'
import { useTask } from './use-task.ts'

/** The settings with what was just chosen, and how to change them. */
export function useSettings({ state, onChanged }: PageProps) {
  const [chosen, setChosen] = useState<Partial<Settings>>({})
  const { failure, run } = useTask()
  return {
    settings: { ...state.settings, ...chosen },
    failure,
    async change(patch: Partial<Settings>): Promise<void> {
      setChosen({ ...chosen, ...patch })
      await run(async () => {
        await call('changeSettings', patch)
        await onChanged()
      })
      // From here on the stored ones count, which after a failure are the old ones.
      setChosen({})
    },
  }
}
