import { words } from '../../platform/words.ts'
import type { PasswordTries } from '../../state/use-password-tries.ts'
import { PasswordField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'

/** The field for the wallet's password, with what the last try led to. */
export function TriedPassword({ tries, label }: { tries: PasswordTries; label: string }) {
  return (
    <>
      <PasswordField
        ref={tries.field}
        label={label}
        disabled={tries.busy || tries.seconds > 0}
        error={tries.error}
        onInput={tries.forgetError}
      />
      {tries.damaged ? (
        <Notice tone="danger" title={words('damagedTitle')} live>
          {words('damagedNote')}
        </Notice>
      ) : null}
    </>
  )
}
