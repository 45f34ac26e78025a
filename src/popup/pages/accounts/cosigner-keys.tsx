import { Copy } from 'lucide-react'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import { useTask } from '../../state/use-task.ts'
import { Notice } from '../../ui/notice.tsx'
import { ActionRow, Rows } from '../../ui/row.tsx'
import textStyles from '../../ui/styles/text.module.css'
import { MULTISIG_NAMES } from '../../ui/text/account-kinds.ts'
import { showToast } from '../../ui/toast.tsx'
import styles from './accounts.module.css'

const SCRIPTS = ['p2wsh', 'p2tr'] as const

/** The public keys with which this wallet can be one of several signers, to be taken to the wallet that sets the account up. */
export function CosignerKeys() {
  const task = useTask()
  const copy = (script: (typeof SCRIPTS)[number]) =>
    task.run(async () => {
      const key = await call('getCosignerKey', { script })
      await navigator.clipboard.writeText(key).catch(() => {
        throw new Error(words('commonCopyFailed'))
      })
      showToast(words('commonCopied'))
    })
  return (
    <section className={styles.firstAddresses}>
      <h2>{words('cosignerKeyTitle')}</h2>
      <p className={textStyles.note}>{words('cosignerKeyNote')}</p>
      {task.failure ? (
        <Notice tone="danger" live>
          {task.failure}
        </Notice>
      ) : null}
      <Rows label={words('cosignerKeyTitle')}>
        {SCRIPTS.map(script => (
          <ActionRow
            key={script}
            icon={<Copy size={18} aria-hidden />}
            title={words('cosignerKeyCopy', { kind: MULTISIG_NAMES[script] })}
            busy={task.busy}
            onPress={() => void copy(script)}
          />
        ))}
      </Rows>
    </section>
  )
}
