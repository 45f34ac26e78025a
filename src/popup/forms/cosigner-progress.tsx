import { CircleCheck, CircleDashed } from 'lucide-react'
import type { CosignersView } from '../../background/views/cosigning-views.ts'
import { words } from '../platform/words.ts'
import layoutStyles from '../ui/styles/layout.module.css'
import pillStyles from '../ui/styles/pill.module.css'
import textStyles from '../ui/styles/text.module.css'
import styles from './cosigner-progress.module.css'

/** How many of an account's signers have signed, and who. */
export function CosignerProgress({ cosigners }: { cosigners: CosignersView }) {
  const { signed, required, signers } = cosigners
  return (
    <section className={layoutStyles.stack}>
      <div role="status">
        <h2>{words('cosignCount', { signed, required })}</h2>
      </div>
      <ul className={styles.signers}>
        {signers.map(({ fingerprint, path, hasSigned, isOwn }) => (
          <li key={`${fingerprint} ${path}`}>
            {hasSigned ? (
              <CircleCheck size={20} className={styles.hasSigned} aria-hidden />
            ) : (
              <CircleDashed size={20} aria-hidden />
            )}
            <span className={textStyles.mono}>{fingerprint}</span>
            {isOwn ? <span className={pillStyles.pill}>{words('cosignOwn')}</span> : null}
            <span className={textStyles.note}>
              {words(hasSigned ? 'cosignHasSigned' : 'cosignNotSigned')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
