/**
 * Transactions that others made (PSBT): taken from a file, a text or a QR code, reviewed as a site's request is, signed, shown
 * back, combined, finalized and broadcast, each as a step of its own. What is under work stays with the background: a
 * closed popup loses nothing. No step here decides what a signature does; the background's review says it.
 */

import { useState } from 'react'
import type { LoadedPsbtView } from '../../../background/views/psbt-views.ts'
import { HelpButton } from '../../help/help-button.tsx'
import { goBack } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { LoadedPsbt } from './loaded-psbt.tsx'
import { PsbtForm } from './psbt-form.tsx'

/** The PSBT under work, or the form that takes one. */
export function PsbtPage({ state }: PageProps) {
  const { answer, problem, retry } = useQuery(
    async () => ({ loaded: await call('getLoadedPsbt', null) }),
    '',
    [],
  )
  /** What the last step gave, which is newer than what was asked for first. */
  const [changed, setChanged] = useState<{ loaded: LoadedPsbtView | null } | null>(null)
  const loaded = (changed ?? answer)?.loaded
  if (loaded === undefined) {
    return (
      <Screen
        head={<BackButton onBack={goBack} />}
        foot={
          problem === null ? null : (
            <Button variant="primary" onClick={retry}>
              {words('commonTryAgain')}
            </Button>
          )
        }
      >
        <Title>{words('psbtFileTitle')}</Title>
        {problem === null ? <Skeleton size="row" /> : <Notice tone="caution">{problem}</Notice>}
      </Screen>
    )
  }
  if (loaded === null) {
    return (
      <PsbtForm
        title={words('psbtFileTitle')}
        lead={
          <>
            {words('psbtFileLead')} <HelpButton term="psbt" />
          </>
        }
        action={words('psbtFileOpen')}
        onBack={goBack}
        onRead={async psbt => setChanged({ loaded: await call('loadPsbt', { psbt }) })}
      />
    )
  }
  return (
    <LoadedPsbt
      key={loaded.id}
      loaded={loaded}
      state={state}
      onChanged={view => setChanged({ loaded: view })}
    />
  )
}
