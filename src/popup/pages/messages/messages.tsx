/**
 * Texts and signatures under them: checks one that somebody hands over, and signs a text of the person's own. It sends nothing, but for
 * coins of a proof of funds that the person has looked up. A text is signed only after it was shown as it is.
 */

import { useState } from 'react'
import type { MessageProofDraft } from '../../../background/views/message-views.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { Segments } from '../../ui/fields/segments.tsx'
import { SignText } from './sign-text.tsx'
import { VerifySignature } from './verify-signature.tsx'

const NOTHING: MessageProofDraft = { message: '', signature: '', address: '' }

export function Messages({ state }: PageProps) {
  const [kind, setKind] = useState<'verify' | 'sign'>('verify')
  const [proof, setProof] = useState(NOTHING)
  const tabs = (
    <Segments
      label={words('messagesWhat')}
      value={kind}
      options={[
        { value: 'verify', name: words('messagesVerify') },
        { value: 'sign', name: words('messagesSign') },
      ]}
      onChoose={setKind}
    />
  )
  if (kind === 'verify')
    return <VerifySignature tabs={tabs} proof={proof} onType={setProof} network={state.network} />
  return (
    <SignText
      tabs={tabs}
      state={state}
      onVerify={signed => {
        setProof(signed)
        setKind('verify')
      }}
    />
  )
}
